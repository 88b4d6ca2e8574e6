#include "replay/placement_run_times.hpp"

#include "machine/torus/dispersal.hpp"
#include "numeric/splitmix64.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace slotwise {

namespace {

// Rounds to whole seconds; halves are rounded up.
Time rounded(double seconds) {
    return static_cast<Time>(std::floor(seconds + 0.5));
}

// Shares are stored as whole billionths, so that 0.3 of 50 is exactly 15, without a rounding error.
constexpr std::uint64_t kWhole = 1'000'000'000;

std::uint64_t billionths(double share) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kWhole)));
}

// Returns `share` billionths of n, rounded to the nearest integer (halves up). n must be below
// 2^34.
std::uint64_t part(std::uint64_t share, std::uint64_t n) {
    return (share * n + kWhole / 2) / kWhole;
}

// Returns a uniformly distributed number in [0, bound). Samples that would make low numbers more
// likely are rejected.
std::uint64_t below(std::uint64_t bound, SplitMix64& random) {
    const std::uint64_t favoured = (0 - bound) % bound; // 2^64 mod bound
    std::uint64_t drawn = random.next();
    while (drawn < favoured)
        drawn = random.next();
    return drawn % bound;
}

} // namespace

PlacementRunTimes::PlacementRunTimes(const PlacementEffect& effect,
                                     std::shared_ptr<const Torus> torus, std::size_t n_jobs)
    : effect_(effect), torus_(std::move(torus)) {
    if (effect.beta < 1) sensitive_ = sensitive_jobs(effect.beta, effect.seed, n_jobs);
    const NodeInterval all{0, torus_->nodes()};
    if (effect.gamma > 0) mean_of_all_ = mean_distance(*torus_, {&all, 1});
}

Time PlacementRunTimes::length(JobId job, Time run, std::span<const NodeInterval> nodes) const {
    if (nodes.empty() || !is_sensitive(job)) return run;
    if (effect_.gamma > 0)
        return rounded(static_cast<double>(run) * (1 + effect_.gamma * dispersal(nodes)));
    if (nodes.size() > 1) return run;
    const std::uint64_t stays = kWhole - billionths(effect_.alpha);
    return std::max<Time>(1, static_cast<Time>(part(stays, static_cast<std::uint64_t>(run))));
}

// Returns how far apart the nodes are, on a scale from compact to random. The value is 0 if the
// nodes are, on average, no further apart than the same number of nodes at the beginning of the
// node order. It is 1 if they are as far apart as nodes chosen at random.
double PlacementRunTimes::dispersal(std::span<const NodeInterval> nodes) const {
    NodeInterval compact;
    for (const NodeInterval& interval : nodes)
        compact.end += interval.size();
    const double least = mean_distance(*torus_, {&compact, 1});
    const double mean = mean_distance(*torus_, nodes);
    if (mean <= least || mean_of_all_ <= least) return 0;
    return (mean - least) / (mean_of_all_ - least);
}

std::vector<std::uint8_t> sensitive_jobs(double beta, std::uint64_t seed, std::size_t n_jobs) {
    std::vector<std::size_t> order(n_jobs);
    std::iota(order.begin(), order.end(), std::size_t{0});
    SplitMix64 random(seed);
    const std::size_t n_sensitive = part(billionths(beta), n_jobs);
    std::vector<std::uint8_t> sensitive(n_jobs, 0);
    for (std::size_t i = 0; i < n_sensitive; ++i) {
        std::swap(order[i], order[i + below(n_jobs - i, random)]);
        sensitive[order[i]] = 1;
    }
    return sensitive;
}

std::shared_ptr<const PlacementRunTimes> make_placement_run_times(const Site& site,
                                                                  std::size_t n_jobs) {
    if (site.placement.is_none()) return nullptr;
    return std::make_shared<const PlacementRunTimes>(site.placement, site.torus, n_jobs);
}

} // namespace slotwise
