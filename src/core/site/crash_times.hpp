// Failures of the whole machine.
#pragma once

#include "numeric/splitmix64.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// The times of the crashes, in order: either given, or an endless random sequence. A gap is sampled
// by inversion from u in [0, 1): h = -ln(1 - u) is exponential with mean 1, and the gap is
//
//     exponential  mean · h        Weibull  mean · h^(1/shape), with `mean` as its scale
//
// rounded up to whole seconds, at least 1. The first gap counts from the first submit time, and
// each later one from the end of the repair before it: a machine in repair does not fail.
class CrashTimes {
  public:
    // Leaves out given crashes whose repair is over by `since`, which is at most first_submit.
    CrashTimes(const Crashes& crashes, Time first_submit, Time since);

    // The next crash, or kNever.
    Time next() const { return next_; }

    void pop();

  private:
    Time gap();

    std::vector<Time> given_; // ascending, none repaired by `since`
    std::size_t n_given_passed_ = 0;
    Crashes::Law law_;
    double mean_;
    double shape_;
    Time repair_;
    SplitMix64 random_;
    Time next_ = kNever;
};

} // namespace slotwise
