// The plan of conservative backfilling: running jobs and promises.
#pragma once

#include "planner/reservation/few_promises.hpp"
#include "planner/reservation/many_promises.hpp"
#include "queue/promise_queue.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace slotwise {

class PromisePlan {
    template <class Action> auto with_profile(Action&& action) {
        return many_ ? action(many_->profile()) : action(few_->profile());
    }

  public:
    PromisePlan(ProcCount processors, Time origin, const StartGrid& grid)
        : grid_(grid), promises_(origin),
          few_(std::in_place, Profile(processors, origin), origin, grid) {}

    const PromiseQueue& promises() const { return promises_; }

    // Must be called if promises will often be withdrawn and made again, or reordered. From then
    // on, the plan does not switch to ManyPromises. Its lists of promises would cost more than
    // searching for the promises that can move.
    void expect_changes() { lists_many_ = false; }

    void advance(Time now) {
        with_profile([&](auto& profile) { profile.advance(now); });
    }
    // Changes the number of free processors, as Profile::add() does.
    void add(Time from, Time to, ProcCount change) {
        with_profile([&](auto& profile) { profile.add(from, to, change); });
    }
    Time earliest(ProcCount processors, Duration duration, Time from) {
        return with_profile(
            [&](auto& profile) { return profile.earliest(processors, duration, from, grid_); });
    }
    ProcCount least(Time from, Time to) {
        return with_profile([&](auto& profile) { return profile.least(from, to); });
    }

    // Frees `processors` processors between `from` and `to`, so that compress() may move promises
    // there.
    void release(Time from, Time to, ProcCount processors) {
        add(from, to, processors);
        if (many_) many_->note_freed(from, to, processors);
    }

    // Adds a promise for which enough processors are free.
    void promise(const Promise& promise);
    // Removes the promises in `block` whose bits in `lanes` are set, because their jobs start now.
    // Returns the result of PromiseQueue::remove().
    bool start(std::size_t block, std::uint64_t lanes);
    // Removes promises whose jobs do not start, and frees their processors.
    void withdraw(std::size_t block, std::uint64_t lanes);

    // Temporarily removes a promise from the profile, so that its processors count as free.
    void lift(PromiseQueue::Position p) { add(promises_.get(p), 1); }
    void put_back(PromiseQueue::Position p) { add(promises_.get(p), -1); }
    // Puts a promise removed by lift() back into the profile, with a new start.
    void place(PromiseQueue::Position p, Time start);

    void reorder(const std::vector<JobId>& jobs) {
        promises_.reorder(jobs);
        if (many_) many_->relist(promises_);
    }

    // Moves each promise, in policy order, to its earliest possible start.
    void compress();

  private:
    Time origin() {
        return with_profile([](auto& profile) { return profile.origin(); });
    }
    void add(const Promise& p, ProcCount sign) {
        add(std::max(p.start, origin()), p.end(), sign * p.processors);
    }

    StartGrid grid_;
    PromiseQueue promises_;
    bool lists_many_ = true;
    std::optional<FewPromises> few_; // exactly one of few_ and many_ is set
    std::optional<ManyPromises> many_;
};

} // namespace slotwise
