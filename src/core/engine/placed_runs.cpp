#include "engine/placed_runs.hpp"

#include "engine/splitmix64.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace slotwise {

namespace {

// Half up.
Time rounded(double seconds) {
    return static_cast<Time>(std::floor(seconds + 0.5));
}

// In [0, bound), each equally likely: what would favour the low numbers is drawn again.
std::uint64_t below(std::uint64_t bound, SplitMix64& random) {
    const std::uint64_t favoured = (0 - bound) % bound; // 2^64 mod bound
    std::uint64_t drawn = random.next();
    while (drawn < favoured)
        drawn = random.next();
    return drawn % bound;
}

} // namespace

PlacedRuns::PlacedRuns(const PlacementEffect& effect, std::size_t n_jobs) : effect_(effect) {
    if (effect.beta < 1) sensitive_ = sensitive_jobs(effect.beta, effect.seed, n_jobs);
}

Time PlacedRuns::length(JobId job, Time run, std::span<const NodeInterval> nodes) const {
    if (nodes.size() != 1 || !is_sensitive(job)) return run;
    return std::max<Time>(1, rounded(static_cast<double>(run) * (1 - effect_.alpha)));
}

std::vector<std::uint8_t> sensitive_jobs(double beta, std::uint64_t seed, std::size_t n_jobs) {
    std::vector<std::size_t> order(n_jobs);
    std::iota(order.begin(), order.end(), std::size_t{0});
    SplitMix64 random(seed);
    const auto n_sensitive = static_cast<std::size_t>(rounded(beta * static_cast<double>(n_jobs)));
    std::vector<std::uint8_t> sensitive(n_jobs, 0);
    for (std::size_t i = 0; i < n_sensitive; ++i) {
        std::swap(order[i], order[i + below(n_jobs - i, random)]);
        sensitive[order[i]] = 1;
    }
    return sensitive;
}

std::shared_ptr<const PlacedRuns> make_placed_runs(const Site& site, std::size_t n_jobs) {
    if (site.placement.is_none()) return nullptr;
    return std::make_shared<const PlacedRuns>(site.placement, n_jobs);
}

} // namespace slotwise
