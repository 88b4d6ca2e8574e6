#include "metrics/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

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

// Values up to 2^54 are sorted into buckets by their exponent and the first six bits of their
// mantissa. All values below 1 are in the first bucket.
constexpr unsigned kBucketBits = 46;
constexpr std::uint64_t kBucketOfOne = std::uint64_t{1023} << (52 - kBucketBits);
constexpr std::size_t kBuckets = (std::size_t{54} << (52 - kBucketBits)) + 2;
constexpr std::size_t kWorthBuckets = 4096; // with fewer values, a single bucket is faster

std::size_t bucket_of(double value) {
    if (value < 1) return 0;
    return (std::bit_cast<std::uint64_t>(value) >> kBucketBits) - kBucketOfOne + 1;
}

// Finds the values with certain ranks in the sorted order of all values. Only buckets that contain
// such a rank are sorted.
template <class Value> class Ranks {
  public:
    explicit Ranks(std::span<const Value> values) : values_(values) {
        if (values.size() < kWorthBuckets) {
            gathered_.assign(values.begin(), values.end());
            return;
        }
        counts_.assign(kBuckets, 0);
        for (const Value value : values)
            ++counts_[bucket_of(static_cast<double>(value))];
    }

    Value at(std::size_t rank) {
        std::size_t bucket = 0;
        if (!counts_.empty()) {
            while (rank >= counts_[bucket])
                rank -= counts_[bucket++];
            if (gathered_.empty() || bucket != bucket_) gather(bucket);
        }
        const auto place = gathered_.begin() + static_cast<std::ptrdiff_t>(rank);
        std::nth_element(gathered_.begin(), place, gathered_.end());
        return *place;
    }

  private:
    void gather(std::size_t bucket) {
        bucket_ = bucket;
        gathered_.clear();
        gathered_.reserve(counts_[bucket]);
        for (const Value value : values_)
            if (bucket_of(static_cast<double>(value)) == bucket) gathered_.push_back(value);
    }

    std::span<const Value> values_;
    std::vector<std::size_t> counts_;
    std::vector<Value> gathered_; // the values of `bucket_`, or all values if there are few
    std::size_t bucket_ = 0;
};

// Interpolates as NumPy does, with the operations in the same order, so that results equal NumPy's
// to the last bit.
template <class Value> double interpolate(Value low, Value high, double weight) {
    const auto gap = static_cast<double>(high - low);
    if (weight >= 0.5) return static_cast<double>(high) - gap * (1 - weight);
    return static_cast<double>(low) + gap * weight;
}

template <class Value> Distribution distribution(std::span<const Value> values) {
    const std::size_t count = values.size();
    if (count == 0) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none, none};
    }
    Ranks<Value> ranks(values);
    const std::size_t middle = count / 2;
    const Value above = ranks.at(middle);
    const Value below = count % 2 == 0 ? ranks.at(middle - 1) : above;

    const double position = static_cast<double>(count - 1) * 0.95;
    const auto rank = static_cast<std::size_t>(position);
    const Value low = ranks.at(rank);
    const Value high = ranks.at(std::min(rank + 1, count - 1));
    return {exact_sum(values) / static_cast<double>(count),
            (static_cast<double>(below) + static_cast<double>(above)) / 2,
            interpolate(low, high, position - static_cast<double>(rank)),
            static_cast<double>(*std::max_element(values.begin(), values.end()))};
}

} // namespace

Distribution distribution_of(std::span<const std::int64_t> values) {
    return distribution(values);
}

Distribution distribution_of(std::span<const double> values) {
    return distribution(values);
}

} // namespace slotwise
