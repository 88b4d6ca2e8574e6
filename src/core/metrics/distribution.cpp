#include "metrics/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace slotwise {

namespace {

constexpr double kFractionScale = 4503599627370496.0; // 2^52

double exact_sum(std::span<const std::int64_t> values) {
    WideInt sum = 0;
    for (const std::int64_t value : values)
        sum += value;
    return static_cast<double>(sum);
}

double exact_sum(std::span<const double> values) {
    WideInt whole = 0, fraction = 0;
    for (const double value : values) {
        const auto floor = static_cast<std::int64_t>(value);
        whole += floor;
        fraction +=
            static_cast<std::int64_t>((value - static_cast<double>(floor)) * kFractionScale);
    }
    whole += fraction >> 52;
    fraction &= (WideInt{1} << 52) - 1;
    return static_cast<double>(whole) + static_cast<double>(fraction) / kFractionScale;
}

// The value at `rank` of the sorted order; afterwards nothing before it is larger and nothing after
// it smaller.
template <class Value> Value order_statistic(std::span<Value> values, std::size_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// NumPy's interpolation, in its order of operations, so that results are equal to the last bit.
template <class Value> double interpolate(Value low, Value high, double weight) {
    const auto gap = static_cast<double>(high - low);
    if (weight >= 0.5) return static_cast<double>(high) - gap * (1 - weight);
    return static_cast<double>(low) + gap * weight;
}

template <class Value> Distribution distribution(std::span<Value> values) {
    const std::size_t count = values.size();
    if (count == 0) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none, none};
    }
    Distribution result{};
    result.mean = exact_sum(values) / static_cast<double>(count);

    const double position = static_cast<double>(count - 1) * 0.95;
    const auto rank = static_cast<std::size_t>(position);
    const Value low = order_statistic(values, rank);
    const std::span<Value> above = values.subspan(rank + 1);
    const Value high = above.empty() ? low : *std::min_element(above.begin(), above.end());
    result.p95 = interpolate(low, high, position - static_cast<double>(rank));
    result.max =
        static_cast<double>(above.empty() ? low : *std::max_element(above.begin(), above.end()));

    const std::size_t middle = count / 2; // <= rank for every count but 2
    const std::span<Value> below = middle <= rank ? values.first(rank + 1) : values;
    const Value upper = order_statistic(below, middle);
    result.median = static_cast<double>(upper);
    if (count % 2 == 0) {
        const Value lower =
            *std::max_element(below.begin(), below.begin() + static_cast<std::ptrdiff_t>(middle));
        result.median = (static_cast<double>(lower) + static_cast<double>(upper)) / 2;
    }
    return result;
}

} // namespace

Distribution distribution_of(std::span<std::int64_t> values) {
    return distribution(values);
}

Distribution distribution_of(std::span<double> values) {
    return distribution(values);
}

} // namespace slotwise
