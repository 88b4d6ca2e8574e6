// Whole nodes, or cores, of some classes that remain free over time, from an origin on.
//
// Example: class 0 has two nodes left until 50 and five from then on; class 1 always has three. A
// job on six nodes for 20 s starts at 50 at the earliest.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class LeftSteps {
  public:
    // A step function: `number` is valid from `time` on.
    struct Point {
        Time time;
        std::int32_t number;
    };
    struct OfClass {
        std::vector<Point> numbers;
        std::vector<Point> cores; // free cores; each number takes `cores_each`; empty: no bound
        std::int32_t cores_each;
    };

    // Each step function begins at `origin` or before.
    void build(Time origin, std::span<const OfClass> classes);

    struct Asked {
        std::int32_t number;
        Time length;
        Time from;
        Time until;           // the latest start allowed
        Time before = kNever; // later instants are ignored; must be above `until`
    };

    // First start at or after `from` such that the classes together have enough left throughout and
    // accept(start) is true; kNever if there is none. next(start, step) returns the next start to
    // try after a failure; `step` is the next time at which a number changes.
    template <class Accept, class Next>
    Time first(const Asked& asked, Accept&& accept, Next&& next) const {
        std::size_t i = at(asked.from);
        for (Time start = asked.from; start <= asked.until && start != kNever;) {
            const std::size_t lacking = first_lacking(i, start, asked);
            if (lacking < begin_.size()) {
                i = first_enough(lacking + 1, asked.number);
                start = begin(i);
                continue;
            }
            if (is_enough_of_each(i, start, asked) && accept(start)) return start;
            start = next(start, begin(i + 1));
            while (i + 1 < begin_.size() && begin_[i + 1] <= start)
                ++i;
        }
        return kNever;
    }

  private:
    Time begin(std::size_t i) const { return i < begin_.size() ? begin_[i] : kNever; }
    std::size_t at(Time time) const;
    std::size_t first_lacking(std::size_t i, Time start, const Asked& asked) const;
    std::size_t first_enough(std::size_t i, std::int32_t number) const;
    bool is_enough_of_each(std::size_t i, Time start, const Asked& asked) const;

    std::vector<Time> begin_;        // times at which the steps begin, ascending
    std::vector<std::int32_t> left_; // one per step and class; never below 0
    std::vector<std::int32_t> sum_;  // one per step
    std::size_t n_classes_ = 0;
};

} // namespace slotwise
