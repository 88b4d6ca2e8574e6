// Sums and products with twice the precision of a double. They are used by functions whose results
// must be rounded only once.
#pragma once

namespace slotwise {

struct Pair { // the unevaluated sum hi + lo; |lo| is at most half a unit in the last place of hi
    double hi;
    double lo;
};

inline Pair quick_sum(double big, double small) {
    const double sum = big + small;
    return {sum, small - (sum - big)};
}

inline Pair sum(double a, double b) {
    const double s = a + b;
    const double from_b = s - a;
    return {s, (a - (s - from_b)) + (b - from_b)};
}

inline Pair add(Pair a, Pair b) {
    const Pair s = sum(a.hi, b.hi);
    return quick_sum(s.hi, s.lo + a.lo + b.lo);
}

inline Pair product(double a, double b) {
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

inline Pair multiply(Pair a, Pair b) {
    const Pair p = product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline Pair divide(Pair a, Pair b) {
    const double first = a.hi / b.hi;
    const Pair back = multiply({first, 0.0}, b);
    const Pair rest = add(a, {-back.hi, -back.lo});
    return quick_sum(first, rest.hi / b.hi);
}

inline double rounded(Pair p) {
    return p.hi + p.lo;
}

} // namespace slotwise
