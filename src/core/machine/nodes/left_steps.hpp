// The number of whole nodes, or of cores, left in each class over time.
//
// Example: class 0 has two nodes left until 50, and five from then on; class 1 always has three
// nodes left. A job that needs six nodes for 20 s can start at 50 at the earliest.
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
    // A point of a step function: from `time` onwards, the value is `number`.
    struct Point {
        Time time;
        std::int32_t number;
    };
    struct OfClass {
        std::vector<Point> numbers;
        // The free cores over time; empty if they do not limit the job. Each node counted in
        // `numbers` needs `cores_each` of these cores.
        std::vector<Point> cores;
        std::int32_t cores_each;
    };

    // Builds all steps that begin before `end`. Each given step function must begin at or before
    // `origin`.
    void build(Time origin, Time end, std::span<const OfClass> classes);

    // The nodes or cores that the job itself already occupies in each class over [from, to). The
    // job may use them.
    struct Own {
        Time from = kNever;
        Time to = 0;
        std::int32_t sum = 0;
        std::span<const std::int32_t> numbers; // by position of the class
    };

    struct Asked {
        std::int32_t number;
        Time length;
        Time from;
        Time until;           // the latest start allowed
        Time before = kNever; // end of the period that is checked; must be after `until`
        Own own{};            // own.from must be after `until`; by default, empty
    };

    // Returns the smallest number that the class at this position has left during the job, if the
    // job starts at `start`.
    std::int32_t least(std::size_t position, Time start, const Asked& asked) const {
        return least_from(at(start), position, start, asked).number;
    }

    // Returns the first start at or after `from` at which the classes together have enough left for
    // the whole job, and for which accept(start) is true. Returns kNever if there is none. If a
    // start is not accepted, next(start, step) returns the next start to try, where `step` is the
    // next time at which a number changes.
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
            const Time enough = first_with_enough_of_each(i, start, asked);
            if (enough == start && accept(start)) return start;
            start = enough > start ? next(enough - 1, enough) : next(start, begin(i + 1));
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
    Time first_with_enough_of_each(std::size_t i, Time start, const Asked& asked) const;
    struct Least { // smallest number left during the job, and the last step with this number
        std::int32_t number;
        std::size_t last;
    };
    Least least_from(std::size_t i, std::size_t position, Time start, const Asked& asked) const;
    static Time end_of(Time start, const Asked& asked) {
        return std::min(start + asked.length, asked.before);
    }

    // Returns true if the part of step i within [start, end) is also within the span that the
    // job itself occupies.
    bool is_own(std::size_t i, Time start, Time end, const Own& own) const {
        return std::max(begin_[i], start) >= own.from && std::min(begin(i + 1), end) <= own.to;
    }

    std::vector<Time> begin_;        // times at which the steps begin, ascending
    std::vector<std::int32_t> left_; // nodes or cores left, by step and class; >= 0
    std::vector<std::int32_t> sum_;  // one per step
    std::size_t n_classes_ = 0;
};

} // namespace slotwise
