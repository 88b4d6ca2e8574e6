// When the whole machine fails.
#pragma once

#include "numeric/splitmix64.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// The times of the crashes, one after the other: those given, or drawn for ever. A gap is drawn by
// inversion from u in [0, 1): h = -ln(1 - u), the hazard passed, is an exponential of mean 1;
//
//     exponential  mean · h        Weibull  mean · h^(1/shape), `mean` being its scale
//
// rounded up to whole seconds, at least 1. The first counts from the first submit, each later one
// from the end of the repair before it: a machine in repair does not fail.
class CrashTimes {
  public:
    // Given crashes whose repair is over by `since`, the first submit or before, are left out.
    CrashTimes(const Crashes& crashes, Time first_submit, Time since);

    // kNever where no more is to come.
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
