// ln(x) = e·ln 2 + ln m with x = m·2^e, m in [√½, √2), and ln m = 2 artanh(z), z = (m − 1)/(m + 1),
// |z| < 0.1716: 2z(1 + z²/3 + z⁴/5 + …). The leading terms are kept as unevaluated sums of two
// doubles, the tail, below 2^-16 of the whole, in one. Example: x = 8 gives m = 1, e = 3, z = 0,
// hence log2 = 3 exactly.
#include "order/logarithm.hpp"

#include <cmath>

namespace slotwise {

namespace {

struct Pair { // the unevaluated sum hi + lo, |lo| at most half a unit in the last place of hi
    double hi;
    double lo;
};

constexpr Pair kOneOverLn2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Pair kOneOverLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kLog10Of2{0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
constexpr Pair kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};

Pair quick_sum(double big, double small) {
    const double sum = big + small;
    return {sum, small - (sum - big)};
}

Pair sum(double a, double b) {
    const double s = a + b;
    const double from_b = s - a;
    return {s, (a - (s - from_b)) + (b - from_b)};
}

Pair add(Pair a, Pair b) {
    const Pair s = sum(a.hi, b.hi);
    return quick_sum(s.hi, s.lo + a.lo + b.lo);
}

Pair product(double a, double b) {
    constexpr double kSplit = 134217729.0; // 2^27 + 1
    const double ca = kSplit * a;
    const double cb = kSplit * b;
    const double a_high = ca - (ca - a);
    const double b_high = cb - (cb - b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    const double p = a * b;
    return {p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

Pair multiply(Pair a, Pair b) {
    const Pair p = product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

Pair divide(Pair a, Pair b) {
    const double first = a.hi / b.hi;
    const Pair back = multiply({first, 0.0}, b);
    const Pair rest = add(a, {-back.hi, -back.lo});
    return quick_sum(first, rest.hi / b.hi);
}

// ln m for m in [√½, √2).
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

double rounded(Pair p) {
    return p.hi + p.lo;
}

} // namespace

double log2(double x) {
    const Parts parts = split(x);
    return rounded(add({parts.exponent, 0.0}, multiply(parts.log_of_mantissa, kOneOverLn2)));
}

double log10(double x) {
    const Parts parts = split(x);
    const Pair whole = multiply({parts.exponent, 0.0}, kLog10Of2);
    return rounded(add(whole, multiply(parts.log_of_mantissa, kOneOverLn10)));
}

double log(double x) {
    const Parts parts = split(x);
    return rounded(add(multiply({parts.exponent, 0.0}, kLn2), parts.log_of_mantissa));
}

} // namespace slotwise
