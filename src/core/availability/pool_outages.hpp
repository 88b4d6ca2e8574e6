// What outages and repairs take from the pools of a site, as they come and go.
#pragma once

#include "availability/pool_plan.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Drains are in the plans beforehand, outages that kill and repairs from their begin on. Several at
// a time add up, and a pool never has less than nothing. Which jobs die is not decided here.
//
// Example, a pool of 8: an outage of 6 on [10, 30), another of 4 on [20, 80). From 20 on 10 are
// to be away, so none is left; at 30 the 6 come back but for what the other keeps, and 4 are there.
class PoolOutages {
  public:
    // `site` is completed and outlives this.
    explicit PoolOutages(const Site& site);

    // Puts the drains into the plans, one plan a pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // The outage of this index has begun or ended at `time`; jobs run on `busy` processors of each
    // pool.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans,
               const std::vector<ProcCount>& busy);
    void end(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // All processors of all pools are in repair from `time` on, or back again.
    void begin_repair(Time time, std::vector<PoolPlan>& plans);
    void end_repair(Time time, std::vector<PoolPlan>& plans);

    // How many processors the pool has, busy or free.
    ProcCount present(PoolId pool) const;

    // Whether an outage that kills, or a repair, has processors of the pool: then no job runs on
    // more than are present, beside a drain either.
    bool kills_in(PoolId pool) const { return killed_[pool] > 0; }

    // What an outage that has begun takes from the pool.
    ProcCount share(std::uint32_t index, PoolId pool) const { return shares_[index][pool]; }

    // How many the machine has had, over time; empty while it has had all.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    void take(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void give(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void note(Time time);

    const Site* site_;
    std::vector<std::vector<ProcCount>> shares_; // by outage and pool; of one that is on
    std::vector<ProcCount> away_;                // by pool: the sum of what is on
    std::vector<ProcCount> killed_;              // … of it by outages that kill, and repairs
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
