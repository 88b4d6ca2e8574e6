#include "planner/reservation/promise_plan.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace slotwise {

void PromisePlan::join(Profile::Position at, PromiseId id) {
    assert(profile_.time(at) == promises_.of(id).start);
    Profile::Starts starts = profile_.starts(at);
    starts_.join(starts, id, promises_);
    profile_.set_starts(at, starts);
}

void PromisePlan::leave(Profile::Position at, PromiseId id) {
    assert(profile_.time(at) == promises_.of(id).start);
    Profile::Starts starts = profile_.starts(at);
    assert(starts.first != kNoPromise);
    starts_.leave(starts, id, promises_);
    profile_.set_starts(at, starts);
}

// Removes a promise from the list at its start.
void PromisePlan::unlist(PromiseId id) {
    const Time start = promises_.of(id).start;
    if (start >= profile_.origin())
        leave(profile_.locate(start), id);
    else
        starts_.forget(id);
}

void PromisePlan::promise(const Promise& promise) {
    profile_.add(promise.start, promise.end(), -promise.processors);
    const PromiseId id = promises_.insert(promise);
    latest_.note(promise, promises_.base());
    join(profile_.split_at(promise.start), id);
}

bool PromisePlan::start(std::size_t block, std::uint64_t lanes) {
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1)
        unlist(promises_.id({block, static_cast<std::uint32_t>(std::countr_zero(rest))}));
    return promises_.remove(block, lanes);
}

void PromisePlan::withdraw(std::size_t block, std::uint64_t lanes) {
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        const PromiseId id =
            promises_.id({block, static_cast<std::uint32_t>(std::countr_zero(rest))});
        const Promise& p = promises_.of(id);
        unlist(id);
        release(std::max(p.start, profile_.origin()), p.end(), p.processors);
    }
    promises_.remove(block, lanes);
}

void PromisePlan::lift(PromiseId id) {
    const Promise& p = promises_.of(id);
    profile_.add(std::max(p.start, profile_.origin()), p.end(), p.processors);
}

void PromisePlan::put_back(PromiseId id) {
    const Promise& p = promises_.of(id);
    profile_.add(std::max(p.start, profile_.origin()), p.end(), -p.processors);
}

void PromisePlan::place(PromiseId id, Time start) {
    const Promise before = promises_.of(id);
    unlist(id);
    freed_.push_back(
        {std::max(before.start, profile_.origin()), before.end(), before.processors});
    promises_.set_start(promises_.find_ranked(before.rank), start);
    put_back(id);
    latest_.note(promises_.of(id), promises_.base());
    join(profile_.split_at(start), id);
}

void PromisePlan::reorder(const std::vector<JobId>& jobs) {
    const auto for_each = [&](auto&& visit) {
        for (std::size_t block = 0; block < promises_.n_blocks(); ++block)
            for (std::uint64_t lanes = promises_.all(block); lanes != 0; lanes &= lanes - 1) {
                const PromiseId id =
                    promises_.id({block, static_cast<std::uint32_t>(std::countr_zero(lanes))});
                const Time start = promises_.of(id).start;
                if (start >= profile_.origin()) visit(profile_.locate(start), id);
            }
    };
    for_each([&](Profile::Position at, PromiseId) { profile_.set_starts(at, {}); });
    promises_.reorder(jobs);
    for_each([&](Profile::Position at, PromiseId id) { join(at, id); });
    for (Opening& opening : left_)
        opening.until_rank = kNoRank;
}

} // namespace slotwise
