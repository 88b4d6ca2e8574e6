#include "containers/timing_wheel.hpp"

namespace slotwise {

Duration horizon_of(std::span<const Duration> lengths) {
    constexpr std::size_t kSample = 256;
    std::vector<Duration> sample;
    const std::size_t step = lengths.size() / kSample + 1;
    for (std::size_t i = 0; i < lengths.size(); i += step)
        sample.push_back(lengths[i]);
    if (sample.empty()) return 1;
    const auto longer = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() * 19 / 20);
    std::nth_element(sample.begin(), longer, sample.end());
    return *longer;
}

} // namespace slotwise
