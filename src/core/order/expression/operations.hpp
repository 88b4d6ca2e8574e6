// The operations of an expression: each is applied to one value or to a block of values.
#pragma once

#include "numeric/logarithm.hpp"
#include "order/expression/program.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace slotwise::operations {

// Returns the logarithm of any double: -infinity for 0, and NaN for negative numbers.
template <double (*of_positive)(double)> double any_log(double x) {
    if (x > 0) return std::isinf(x) ? x : of_positive(x);
    return x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
}

// Returns the remainder with the sign of the divisor, as in Python.
inline double remainder_of(double a, double b) {
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// Calls `visit` with the function for `operation`. Returns false if the operation is not unary.
template <class Visitor> bool visit_unary(Operation operation, Visitor&& visit) {
    switch (operation) {
    case Operation::negate:
        return visit([](double a) { return -a; }), true;
    case Operation::negation:
        return visit([](double a) { return a == 0 ? 1.0 : 0.0; }), true;
    case Operation::absolute:
        return visit([](double a) { return std::fabs(a); }), true;
    case Operation::square_root:
        return visit([](double a) { return std::sqrt(a); }), true;
    case Operation::floor:
        return visit([](double a) { return std::floor(a); }), true;
    case Operation::ceiling:
        return visit([](double a) { return std::ceil(a); }), true;
    case Operation::log:
        return visit([](double a) { return any_log<log>(a); }), true;
    case Operation::log2:
        return visit([](double a) { return any_log<log2>(a); }), true;
    case Operation::log10:
        return visit([](double a) { return any_log<log10>(a); }), true;
    default:
        return false;
    }
}

// Calls `visit` with the function for `operation`. Returns false if the operation is not binary.
template <class Visitor> bool visit_binary(Operation operation, Visitor&& visit) {
    switch (operation) {
    case Operation::add:
        return visit([](double a, double b) { return a + b; }), true;
    case Operation::subtract:
        return visit([](double a, double b) { return a - b; }), true;
    case Operation::multiply:
        return visit([](double a, double b) { return a * b; }), true;
    case Operation::divide:
        return visit([](double a, double b) { return a / b; }), true;
    case Operation::remainder:
        return visit([](double a, double b) { return remainder_of(a, b); }), true;
    case Operation::power:
        return visit([](double a, double b) { return power(a, b); }), true;
    case Operation::less:
        return visit([](double a, double b) { return a < b ? 1.0 : 0.0; }), true;
    case Operation::less_equal:
        return visit([](double a, double b) { return a <= b ? 1.0 : 0.0; }), true;
    case Operation::equal:
        return visit([](double a, double b) { return a == b ? 1.0 : 0.0; }), true;
    case Operation::not_equal:
        return visit([](double a, double b) { return a != b ? 1.0 : 0.0; }), true;
    case Operation::both:
        return visit([](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }), true;
    case Operation::either:
        return visit([](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }), true;
    case Operation::minimum:
        return visit([](double a, double b) { return b < a ? b : a; }), true;
    case Operation::maximum:
        return visit([](double a, double b) { return b > a ? b : a; }), true;
    default:
        return false;
    }
}

} // namespace slotwise::operations
