// How near nodes that are near along the node order lie on the torus.
#pragma once

#include "machine/torus.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace slotwise {

// By torus distance beyond 1, how many steps of the order are as long as that.
std::map<std::int32_t, std::int32_t> longer_steps(const Torus& torus);

// For each lag, the mean torus distance between positions that far apart; 0 for a lag that no two
// positions have. Lags are at least 1.
std::vector<double> mean_distances(const Torus& torus, std::span<const std::int32_t> lags);

} // namespace slotwise
