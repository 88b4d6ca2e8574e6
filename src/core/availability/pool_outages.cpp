#include "availability/pool_outages.hpp"

#include "site/outage_shares.hpp"

#include <algorithm>

namespace slotwise {

PoolOutages::PoolOutages(const Site& site)
    : site_(&site), shares_(site.outages.size()), away_(site.pools.size(), 0),
      killed_(site.pools.size(), 0) {}

void PoolOutages::announce(std::vector<PoolPlan>& plans) const {
    for (const Outage& outage : site_->outages) {
        if (outage.mode != Outage::Mode::drain) continue;
        const std::vector<ProcCount> shares = shares_of(*site_, outage);
        for (std::size_t pool = 0; pool < plans.size(); ++pool)
            if (shares[pool] > 0) plans[pool].announce(recurrence_of(outage), shares[pool]);
    }
}

void PoolOutages::begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans,
                        const std::vector<ProcCount>& busy) {
    const Outage& outage = site_->outages[index];
    const bool announced = outage.mode == Outage::Mode::drain;
    std::vector<ProcCount> free, there;
    for (std::size_t pool = 0; pool < plans.size(); ++pool) {
        there.push_back(present(static_cast<PoolId>(pool)));
        free.push_back(there.back() - busy[pool]);
    }
    shares_[index] = announced ? shares_of(*site_, outage) : shares_of(*site_, outage, free, there);
    for (std::size_t pool = 0; pool < plans.size(); ++pool) {
        const ProcCount share = shares_[index][pool];
        if (share == 0) continue;
        take(static_cast<PoolId>(pool), share, !announced, plans[pool]);
        if (!announced) plans[pool].fence(time, time + outage.duration, share);
    }
    note(time);
}

void PoolOutages::end(std::uint32_t index, Time time, std::vector<PoolPlan>& plans) {
    const bool kills = site_->outages[index].mode != Outage::Mode::drain;
    for (std::size_t pool = 0; pool < plans.size(); ++pool)
        give(static_cast<PoolId>(pool), shares_[index][pool], kills, plans[pool]);
    note(time);
}

void PoolOutages::begin_repair(Time time, std::vector<PoolPlan>& plans) {
    for (std::size_t pool = 0; pool < plans.size(); ++pool) {
        take(static_cast<PoolId>(pool), site_->pools[pool].processors, true, plans[pool]);
        plans[pool].fence(time, time + site_->crashes.repair, site_->pools[pool].processors);
    }
    note(time);
}

void PoolOutages::end_repair(Time time, std::vector<PoolPlan>& plans) {
    for (std::size_t pool = 0; pool < plans.size(); ++pool)
        give(static_cast<PoolId>(pool), site_->pools[pool].processors, true, plans[pool]);
    note(time);
}

ProcCount PoolOutages::absent() const {
    ProcCount processors = 0;
    for (std::size_t pool = 0; pool < site_->pools.size(); ++pool)
        processors += site_->pools[pool].processors - present(static_cast<PoolId>(pool));
    return processors;
}

ProcCount PoolOutages::present(PoolId pool) const {
    return std::max(site_->pools[pool].processors - away_[pool], 0);
}

void PoolOutages::take(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan) {
    away_[pool] += processors;
    if (kills) killed_[pool] += processors;
    plan.take_away(processors);
}

void PoolOutages::give(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan) {
    away_[pool] -= processors;
    if (kills) killed_[pool] -= processors;
    plan.give_back(processors);
}

void PoolOutages::note(Time time) {
    ProcCount processors = site_->processors;
    for (std::size_t pool = 0; pool < away_.size(); ++pool)
        processors -= std::min(away_[pool], site_->pools[pool].processors);
    if (!capacity_.empty() && capacity_.back().time == time)
        capacity_.back().processors = processors;
    else
        capacity_.push_back({time, processors});
}

} // namespace slotwise
