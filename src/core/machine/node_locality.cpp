#include "machine/node_locality.hpp"

namespace slotwise {

std::map<std::int32_t, std::int32_t> longer_steps(const Torus& torus) {
    std::map<std::int32_t, std::int32_t> counts;
    for (std::int32_t at = 1; at < torus.nodes(); ++at) {
        const std::int32_t length = torus.distance(at - 1, at);
        if (length > 1) ++counts[length];
    }
    return counts;
}

std::vector<double> mean_distances(const Torus& torus, std::span<const std::int32_t> lags) {
    std::vector<double> means;
    for (const std::int32_t lag : lags) {
        std::int64_t links = 0;
        for (std::int32_t at = lag; at < torus.nodes(); ++at)
            links += torus.distance(at - lag, at);
        const std::int32_t pairs = torus.nodes() - lag;
        means.push_back(pairs > 0 ? static_cast<double>(links) / pairs : 0.0);
    }
    return means;
}

} // namespace slotwise
