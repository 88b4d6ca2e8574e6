// Compression for up to several hundred promises. It compares each promise with everything that has
// become free.
#pragma once

#include "availability/freed_spans.hpp"
#include "availability/profile.hpp"
#include "planner/reservation/failed_searches.hpp"
#include "queue/promise_queue.hpp"
#include "types.hpp"

#include <utility>

namespace slotwise {

class FewPromises {
  public:
    FewPromises(Profile profile, Time base, const StartGrid& grid)
        : grid_(grid), profile_(std::move(profile)), freed_spans_(base, grid) {}

    Profile& profile() { return profile_; }
    const Profile& profile() const { return profile_; }

    // Moves each promise, in policy order, to its earliest possible start.
    void compress(PromiseQueue& promises);

  private:
    Time earlier_start(const Promise& p, bool reach, bool fits);
    void move(PromiseQueue& promises, PromiseQueue::Position position, Time start);

    StartGrid grid_;
    // The profile contains running jobs, promises, and announced windows as far ahead as the
    // promises extend.
    Profile profile_;
    FreedSpans freed_spans_;
    FailedSearches failed_searches_;
};

} // namespace slotwise
