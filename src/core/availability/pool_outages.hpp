// Processors that outages and repairs take from the pools of a site, as they begin and end.
#pragma once

#include "availability/pools/pool_plan.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Drains are planned beforehand; killing outages and repairs are planned once they begin.
// Overlapping outages add up, and a pool never has less than 0 processors. Other code chooses the
// jobs to kill.
//
// Example: a pool of 8, an outage of 6 on [10, 30) and one of 4 on [20, 80). From 20 on, 10
// processors should be unavailable, so none is left. At 30 the first outage ends, the other still
// takes 4 of the 8, and 4 are available.
class PoolOutages {
  public:
    // `site` is completed and outlives this object.
    explicit PoolOutages(const Site& site);

    // Adds the drains to the plans, one plan per pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // Begins or ends the outage with this index at `time`. `busy` gives the processors in use per
    // pool.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans,
               const std::vector<ProcCount>& busy);
    void end(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // Takes all processors of all pools for repair from `time` on, or returns them.
    void begin_repair(Time time, std::vector<PoolPlan>& plans);
    void end_repair(Time time, std::vector<PoolPlan>& plans);

    // Available processors of the pool, busy or free.
    ProcCount present(PoolId pool) const;
    // Unavailable processors of all pools together.
    ProcCount absent() const;

    // True if a killing outage, or a repair, takes processors of the pool. Jobs may then run only
    // on available processors, even during a drain.
    bool kills_in(PoolId pool) const { return killed_[pool] > 0; }

    // Processors that an outage in progress takes from the pool.
    ProcCount share(std::uint32_t index, PoolId pool) const { return shares_[index][pool]; }

    // Available processors of the machine over time; empty if none was ever unavailable.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    void take(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void give(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void note(Time time);

    const Site* site_;
    std::vector<std::vector<ProcCount>> shares_; // per outage and pool, for outages that have begun
    std::vector<ProcCount> away_;                // per pool: sum over all outages in progress
    std::vector<ProcCount> killed_; // per pool: the part taken by killing outages and repairs
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
