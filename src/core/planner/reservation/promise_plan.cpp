#include "planner/reservation/promise_plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace slotwise {

namespace {

// The plan switches to ManyPromises once it has kManyPromises promises, and back to FewPromises
// once it has fewer than kFew. The two numbers are far apart, because each switch copies the
// profile.
constexpr std::size_t kManyPromises = 768;
constexpr std::size_t kFew = 384;

} // namespace

void PromisePlan::promise(const Promise& promise) {
    add(promise, -1);
    const PromiseQueue::Position at = promises_.insert(promise);
    if (many_) many_->list(promises_.id(at), promises_);
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
        const PromiseQueue::Position at{block, static_cast<std::uint32_t>(std::countr_zero(rest))};
        const Promise p = promises_.get(at);
        if (many_) many_->unlist(promises_.id(at), promises_);
        release(std::max(p.start, origin()), p.end(), p.processors);
    }
    promises_.remove(block, lanes);
}

void PromisePlan::place(PromiseQueue::Position at, Time start) {
    const Promise before = promises_.get(at);
    if (many_) {
        many_->unlist(promises_.id(at), promises_);
        many_->note_freed(std::max(before.start, origin()), before.end(), before.processors);
    }
    promises_.set_start(at, start);
    put_back(at);
    if (many_) many_->list(promises_.id(at), promises_);
}

void PromisePlan::compress() {
    if (few_ && lists_many_ && promises_.size() >= kManyPromises) {
        promises_.number_all();
        many_.emplace(PromiseProfile::copy_of(few_->profile()), promises_, grid_);
        few_.reset();
    } else if (many_ && promises_.size() < kFew) {
        few_.emplace(Profile::copy_of(many_->profile()), promises_.base(), grid_);
        many_.reset();
        promises_.drop_numbers();
    }
    if (many_)
        many_->compress(promises_);
    else
        few_->compress(promises_);
}

} // namespace slotwise
