// e^x = 2^k · e^r with k = round(x / ln 2) and |r| <= ln 2 / 2 = 0.3466; the series of e^r is cut
// after r^17 / 17!, below 2^-74. Example: x = 0 gives k = 0, r = 0, hence 1 exactly.
#include "order/exponential.hpp"

#include <cmath>
#include <limits>

namespace slotwise {

double exponential(double x) {
    constexpr double kOneOverLn2 = 0x1.71547652b82fep+0;
    constexpr double kLn2High = 0x1.62e42fefa0000p-1; // k times it is exact
    constexpr double kLn2Low = 0x1.cf79abc9e3b39p-40;
    if (x > 709.0) return std::numeric_limits<double>::infinity();
    if (x < -745.0) return 0.0;
    const double k = std::floor(x * kOneOverLn2 + 0.5);
    const double r = (x - k * kLn2High) - k * kLn2Low;
    double series = 1.0;
    for (int n = 17; n >= 1; --n)
        series = 1.0 + series * r / n;
    return std::ldexp(series, static_cast<int>(k));
}

} // namespace slotwise
