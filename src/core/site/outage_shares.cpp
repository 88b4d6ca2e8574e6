#include "site/outage_shares.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Takes processors from the pools in order: at most most_of(pool) from each pool, and at most
// `left` in total.
template <class MostOf>
void take_in_order(std::vector<ProcCount>& shares, ProcCount& left, MostOf&& most_of) {
    for (std::size_t pool = 0; pool < shares.size() && left > 0; ++pool) {
        const ProcCount taken = std::clamp(most_of(pool), ProcCount{0}, left);
        shares[pool] += taken;
        left -= taken;
    }
}

} // namespace

bool is_shared_out_at_begin(const Outage& outage) {
    if (outage.mode == Outage::Mode::drain || outage.pool != kAnyPool) return false;
    if (!outage.nodes.named.empty()) return false;
    return outage.nodes.type >= 0 ? outage.nodes.count != 0 : outage.processors != 0;
}

std::vector<ProcCount> shares_of(const Site& site, const Outage& outage) {
    std::vector<ProcCount> shares(site.pools.size(), 0);
    ProcCount left = outage.processors;
    if (outage.pool != kAnyPool) {
        const ProcCount all = site.pools[outage.pool].processors;
        shares[outage.pool] = outage.processors == 0 ? all : outage.processors;
    } else if (outage.processors == 0) {
        for (std::size_t pool = 0; pool < shares.size(); ++pool)
            shares[pool] = site.pools[pool].processors;
    } else {
        take_in_order(shares, left, [&](std::size_t pool) { return site.pools[pool].processors; });
    }
    return shares;
}

std::vector<ProcCount> shares_of(const Site& site, const Outage& outage,
                                 std::span<const ProcCount> free,
                                 std::span<const ProcCount> present) {
    if (!is_shared_out_at_begin(outage)) return shares_of(site, outage);
    std::vector<ProcCount> shares(site.pools.size(), 0);
    ProcCount left = outage.processors;
    take_in_order(shares, left, [&](std::size_t pool) { return free[pool]; });
    take_in_order(shares, left, [&](std::size_t pool) { return present[pool] - shares[pool]; });
    take_in_order(shares, left,
                  [&](std::size_t pool) { return site.pools[pool].processors - shares[pool]; });
    return shares;
}

} // namespace slotwise
