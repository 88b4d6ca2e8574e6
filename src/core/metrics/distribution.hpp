// Mean, median, 95th percentile and maximum of one quantity over jobs, independent of the order of
// the jobs.
#pragma once

#include <cstdint>
#include <span>

namespace slotwise {

using WideInt = __int128;

// All NaN where there were no values.
struct Distribution {
    double mean;
    double median; // the middle value, or the mean of the two middle ones (numpy.median)
    double p95;    // linear between order statistics (numpy.percentile, its default method)
    double max;
};

// Values in [0, 2^54]. The sum is exact; it is rounded once to a double, and once more by the
// division. O(n), like the overload below.
Distribution distribution_of(std::span<const std::int64_t> values);

// Values in [1, 2^54], as every slowdown is: a double of that range is a multiple of 2^-52, so that
// the sum of whole parts and the sum of 52-bit fractions are both exact in integers.
Distribution distribution_of(std::span<const double> values);

} // namespace slotwise
