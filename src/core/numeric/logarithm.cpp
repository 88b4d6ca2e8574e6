// Computes ln(x) = e·ln 2 + ln m, where x = m·2^e and m is in [√½, √2). With z = (m − 1)/(m + 1),
// which is between -0.1716 and 0.1716, ln m = 2 artanh(z) = 2z(1 + z²/3 + z⁴/5 + …). Each of the
// leading terms is stored as the sum of two doubles. The tail, which is less than 2^-12 of the sum,
// is a single double.
//
// Example: x = 8 gives m = 1, e = 3 and z = 0, so log2 is exactly 3.
#include "numeric/logarithm.hpp"

#include "numeric/double_double.hpp"

#include <cmath>

namespace slotwise {

namespace {

constexpr Pair kOneOverLn2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Pair kOneOverLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kLog10Of2{0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
constexpr Pair kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};

// Returns ln m for m in [√½, √2).
Pair log_of_mantissa(double m) {
    const Pair z = divide(Pair{m - 1.0, 0.0}, sum(m, 1.0));
    const Pair z2 = multiply(z, z);
    const double s = z2.hi;
    double tail = 1.0 / 25.0;
    for (int odd = 23; odd >= 5; odd -= 2)
        tail = tail * s + 1.0 / odd;
    // 1 + z²/3 + z⁴·tail
    const Pair fourth = multiply(z2, z2);
    Pair series = add(multiply(z2, kThird), multiply(fourth, {tail, 0.0}));
    series = add({1.0, 0.0}, series);
    const Pair twice{2.0 * z.hi, 2.0 * z.lo};
    return multiply(twice, series);
}

struct Parts {
    Pair log_of_mantissa;
    double exponent;
};

Parts split(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent) * 2.0; // [1, 2)
    --exponent;
    if (m > 1.4142135623730951) {
        m /= 2.0;
        ++exponent;
    }
    return {log_of_mantissa(m), static_cast<double>(exponent)};
}

} // namespace

double log2(double x) {
    const Parts parts = split(x);
    return rounded(add({parts.exponent, 0.0}, multiply(parts.log_of_mantissa, kOneOverLn2)));
}

double log(double x) {
    const Parts parts = split(x);
    return rounded(add(multiply({parts.exponent, 0.0}, kLn2), parts.log_of_mantissa));
}

double log10(double x) {
    const Parts parts = split(x);
    const Pair whole = multiply({parts.exponent, 0.0}, kLog10Of2);
    return rounded(add(whole, multiply(parts.log_of_mantissa, kOneOverLn10)));
}

} // namespace slotwise
