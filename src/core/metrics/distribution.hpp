// Mean, median, 95th percentile and maximum of one quantity over jobs, independent of the order of
// the jobs.
#pragma once

#include <cstdint>
#include <span>

namespace slotwise {

using WideInt = __int128;

// All values are NaN if there are no jobs.
struct Distribution {
    double mean;
    double median; // the middle value, or the mean of the two middle ones (numpy.median)
    double p95;    // linear between order statistics (numpy.percentile, its default method)
    double max;
};

// Distribution of values in [0, 2^54]. The sum is exact; it is rounded once to a double, and once
// more by the division. O(n), like the overload below.
Distribution distribution_of(std::span<const std::int64_t> values);

// Distribution of values in [1, 2^54], such as slowdowns. A double in this range is a multiple of
// 2^-52, so the sum of the whole parts and the sum of the 52-bit fractions are exact in integers.
Distribution distribution_of(std::span<const double> values);

} // namespace slotwise
