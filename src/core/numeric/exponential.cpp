// Computes 2^x for x = e + k/32 + g, where e and k are integers and -1/64 <= g <= 1/64. The values
// of 2^(k/32) are in a table. With t = g·ln 2, which is between -0.0109 and 0.0109, 2^g = exp(t) =
// 1 + t + t²/2 + t³·tail. The last term is less than 2^-21 of the sum, so a single double suffices
// for the tail.
//
// Example: x = -1.5 gives e = -2, k = 16 and g = 0, so the result is 2^0.5 / 4.
#include "numeric/exponential.hpp"

#include "numeric/double_double.hpp"

#include <cmath>
#include <limits>

namespace slotwise {

namespace {

constexpr Pair kExponentialLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

constexpr Pair kPowers[32] = {
    // 2^(k/32)
    {0x1p+0, 0.0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
};

// Computes exp(t) - 1 for |t| < 0.0109.
Pair exp_less_one(Pair t) {
    const double s = t.hi;
    const double tail =
        1.0 / 6.0 + s * (1.0 / 24.0 + s * (1.0 / 120.0 + s * (1.0 / 720.0 + s / 5040.0)));
    const Pair square = multiply(t, t);
    const Pair third = multiply(multiply(square, t), {tail, 0.0});
    return add(add(third, {0.5 * square.hi, 0.5 * square.lo}), t);
}

// Computes p·2^e, rounded to a multiple of the smallest subnormal double. Used for results that
// are too small for a normal double.
double rounded_to_subnormal(Pair p, int e) {
    const double whole = std::ldexp(p.hi, e + 1074);
    const double below = std::floor(whole);
    const bool lo_decides = whole - below == 0.5 && p.lo != 0.0;
    const double nearest = lo_decides ? below + (p.lo > 0.0) : std::nearbyint(whole);
    return std::ldexp(nearest, -1074);
}

} // namespace

double exp2(double x) {
    if (x < -1075.0) return 0.0;
    if (x >= 1024.0) return std::numeric_limits<double>::infinity();
    const double steps = std::floor(x * 32.0 + 0.5);
    const Pair g = product(x - steps / 32.0, kExponentialLn2.hi);
    const auto n = static_cast<int>(steps);
    const Pair power = kPowers[n & 31];
    const double rest = (x - steps / 32.0) * kExponentialLn2.lo;
    const Pair more = multiply(power, exp_less_one(quick_sum(g.hi, g.lo + rest)));
    const Pair unscaled = add(power, more);
    const int e = n >> 5;
    return e <= -1022 ? rounded_to_subnormal(unscaled, e) : std::ldexp(rounded(unscaled), e);
}

} // namespace slotwise
