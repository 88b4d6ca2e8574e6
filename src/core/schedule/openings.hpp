// The widths for which room has opened somewhere in the profile: what a sweep of promises has to try.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

// A union of intervals (low, high] of processor counts.
class Openings {
  public:
    struct Interval {
        ProcCount low;
        ProcCount high;
    };

    void clear() { intervals_.clear(); }

    void add(ProcCount low, ProcCount high) {
        for (std::size_t i = 0; i < intervals_.size();) {
            Interval& other = intervals_[i];
            if (other.low <= low && high <= other.high) return;
            if (other.high < low || high < other.low) {
                ++i;
                continue;
            }
            low = std::min(low, other.low);
            high = std::max(high, other.high);
            other = intervals_.back();
            intervals_.pop_back();
        }
        intervals_.push_back({low, high});
    }

    const std::vector<Interval>& intervals() const { return intervals_; }

  private:
    std::vector<Interval> intervals_;  // disjoint, in no order
};

}  // namespace slotwise
