// The free amounts of one node, or of a whole machine, over time. They form a step function that
// begins at an origin and is constant after its last step.
#pragma once

#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class FreeSteps {
  public:
    // Only the first `n_resources` amounts are used; the others are always 0.
    FreeSteps(Time origin, const Amounts& free, std::size_t n_resources);

    void forget_before(Time now);

    // A change that adds `times` · `amounts` over [begin, end).
    struct Change {
        Time begin;
        Time end;
        const Amounts* amounts;
        std::int64_t times;
    };
    // A list of changes that add multiples of the same amounts. Their spans must not overlap or
    // touch.
    using Changes = std::span<const Change>;

    // Removes the steps before `now`, then applies the changes. No change may begin before `now`.
    void add(Time now, Changes changes);

    // Returns true if both functions have the same amounts from the later of their two origins
    // onwards. The later origin must be within the first step of each function.
    bool same_as(const FreeSteps& other) const;

    // Returns a hash of the future changes. Two functions that began with the same amounts have
    // equal hashes if same_as() is true, and almost certainly different hashes otherwise.
    std::uint64_t mark() const { return mark_; }

    // These functions return what mark() and same_as() would return after the changes. `now` must
    // be within the first step of each function, and no change may begin before `now`.
    std::uint64_t mark_after(Time now, Changes changes) const;
    bool same_after(Time now, Changes changes, const FreeSteps& other) const;

    std::size_t size() const { return begin_.size(); }
    Time begin(std::size_t i) const { return begin_[i]; }
    Time end(std::size_t i) const { return i + 1 < begin_.size() ? begin_[i + 1] : kNever; }
    AmountsView free(std::size_t i) const { return {row(i), n_}; }
    bool any_negative() const {
        return std::any_of(free_.begin(), free_.end(), [](std::int64_t free) { return free < 0; });
    }

    // Returns the step that contains `time`, which must not be before the first step.
    std::size_t at(Time time) const {
        const std::size_t near = std::min<std::size_t>(begin_.size(), kNear);
        for (std::size_t i = 1; i < near; ++i)
            if (begin_[i] > time) return i - 1;
        return near == begin_.size() ? near - 1 : search(time);
    }

  private:
    static constexpr std::size_t kNear = 12; // number of steps scanned before a binary search

    std::size_t search(Time time) const;
    std::size_t split(Time time);
    void merge(std::size_t i);
    const std::int64_t* row(std::size_t i) const { return free_.data() + i * n_; }

    std::size_t n_;                  // number of resources
    std::vector<Time> begin_;        // times at which the steps begin, ascending
    std::vector<std::int64_t> free_; // n_ amounts per step
    std::uint64_t mark_ = 0;         // hash of the future changes
};

} // namespace slotwise
