// The times at which the whole machine or a single node fails.
#pragma once

#include "numeric/splitmix64.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// The times of the crashes, in order. They are either given or generated at random without end. A
// random gap between crashes is computed by inversion from a uniform u in [0, 1). The value h =
// -ln(1 - u) is exponentially distributed with mean 1. The gap is the following number, rounded up
// to whole seconds, but at least 1:
//
//     exponential  mean · h
//     Weibull      mean · h^(1/shape), where `mean` is the scale of the distribution
//
// The first gap begins at the first submit time. Each later gap begins at the end of the repair
// after the previous crash, because a machine does not fail while it is being repaired.
class CrashTimes {
  public:
    // If crash times are given, leaves out those whose repair ends by `since`. Requires since <=
    // first_submit.
    CrashTimes(const Crashes& crashes, Time first_submit, Time since);

    // Returns the time of the next crash, or kNever.
    Time next() const { return next_; }

    void pop();

  private:
    Time gap();

    std::vector<Time> given_; // ascending; crashes repaired by `since` are left out
    std::size_t n_given_passed_ = 0;
    Crashes::Law law_;
    double mean_;
    double shape_;
    Time repair_;
    SplitMix64 random_;
    Time next_ = kNever;
};

} // namespace slotwise
