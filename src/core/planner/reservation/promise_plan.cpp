#include "planner/reservation/promise_plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace slotwise {

namespace {

// Numbers of promises from which on, and up to which, one of the ways to compress is faster.
constexpr std::size_t kMany = 384;
constexpr std::size_t kFew = 192;

} // namespace

void PromisePlan::promise(const Promise& promise) {
    add(promise, -1);
    const PromiseId id = promises_.insert(promise);
    if (many_) many_->list(id, promises_);
}

bool PromisePlan::start(std::size_t block, std::uint64_t lanes) {
    if (many_)
        for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
            many_->unlist(promises_.id({block, index}), promises_);
        }
    return promises_.remove(block, lanes);
}

void PromisePlan::withdraw(std::size_t block, std::uint64_t lanes) {
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
        const PromiseId id = promises_.id({block, index});
        const Promise& p = promises_.of(id);
        if (many_) many_->unlist(id, promises_);
        release(std::max(p.start, origin()), p.end(), p.processors);
    }
    promises_.remove(block, lanes);
}

void PromisePlan::place(PromiseId id, Time start) {
    const Promise before = promises_.of(id);
    if (many_) {
        many_->unlist(id, promises_);
        many_->note_freed(std::max(before.start, origin()), before.end(), before.processors);
    }
    promises_.set_start(promises_.find_ranked(before.rank), start);
    put_back(id);
    if (many_) many_->list(id, promises_);
}

void PromisePlan::compress() {
    if (few_ && promises_.size() >= kMany) {
        many_.emplace(PromiseProfile::copy_of(few_->profile()), promises_, grid_);
        few_.reset();
    } else if (many_ && promises_.size() < kFew) {
        few_.emplace(Profile::copy_of(many_->profile()), promises_.base(), grid_);
        many_.reset();
    }
    if (many_)
        many_->compress(promises_);
    else
        few_->compress(promises_);
}

} // namespace slotwise
