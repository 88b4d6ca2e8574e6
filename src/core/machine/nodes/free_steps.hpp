// The free amounts of one node, or of a whole machine, over time: a step function that begins at an
// origin and is constant after its last step.
#pragma once

#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class FreeSteps {
  public:
    FreeSteps(Time origin, const Amounts& free) : begin_{origin}, free_{free} {}

    void forget_before(Time now);

    // Adds `times` · `amounts` over [begin, end).
    struct Change {
        Time begin;
        Time end;
        Amounts amounts;
        std::int64_t times;
    };

    // Drops the steps before `now`, then applies the change; requires now <= change.begin.
    void add(Time now, const Change& change);

    // True if the amounts of both are equal from the later of the two origins on. That time must
    // lie within the first step of both.
    bool same_as(const FreeSteps& other) const;

    // Hash of the future changes. The hashes of two functions that began with the same amounts are
    // equal if same_as() is true, and hardly ever equal otherwise.
    std::uint64_t mark() const { return mark_; }

    // mark() and same_as() as they would be after `change`. `now` lies in the first step of both,
    // and now <= change.begin.
    std::uint64_t mark_after(Time now, const Change& change) const;
    bool same_after(Time now, const Change& change, const FreeSteps& other) const;

    std::size_t size() const { return begin_.size(); }
    Time begin(std::size_t i) const { return begin_[i]; }
    Time end(std::size_t i) const { return i + 1 < begin_.size() ? begin_[i + 1] : kNever; }
    const Amounts& free(std::size_t i) const { return free_[i]; }

    // The step that contains `time`, which must not be before the first step.
    std::size_t at(Time time) const {
        const std::size_t near = std::min<std::size_t>(begin_.size(), kNear);
        for (std::size_t i = 1; i < near; ++i)
            if (begin_[i] > time) return i - 1;
        return near == begin_.size() ? near - 1 : search(time);
    }

  private:
    static constexpr std::size_t kNear = 12; // steps scanned before a binary search

    std::size_t search(Time time) const;
    std::size_t split(Time time);
    void merge(std::size_t i);

    std::vector<Time> begin_; // times at which the steps begin, ascending
    std::vector<Amounts> free_;
    std::uint64_t mark_ = 0; // sum over the future changes
};

} // namespace slotwise
