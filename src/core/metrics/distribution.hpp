// The mean, median, 95th percentile and maximum of a quantity over jobs. The results do not depend
// on the order of the jobs.
#pragma once

#include <cstdint>
#include <span>

namespace slotwise {

using WideInt = __int128;

// The distribution of a quantity. If there are no jobs, all four values are NaN.
struct Distribution {
    double mean;
    double median; // the middle value or the mean of the two middle values, as in numpy.median
    double p95;    // interpolated linearly, as by numpy.percentile with its default method
    double max;
};

// Returns the distribution of values in [0, 2^54]. For the mean, the sum is computed exactly. It is
// then rounded once to a double, and once more when it is divided by the number of values. Takes
// O(n) time, like the overload below.
Distribution distribution_of(std::span<const std::int64_t> values);

// Returns the distribution of values in [1, 2^54], such as slowdowns. A double in this range is a
// multiple of 2^-52. Whole parts and 52-bit fractions are added up separately as integers, so both
// sums are exact.
Distribution distribution_of(std::span<const double> values);

} // namespace slotwise
