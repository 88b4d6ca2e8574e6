// Tracks the processors that outages and repairs take from the pools of a site.
#pragma once

#include "availability/pools/pool_plan.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Drains are planned in advance. Outages that kill jobs, and repairs, are planned only when they
// begin; the jobs to kill are chosen elsewhere. Overlapping outages add up, but a pool never has
// fewer than 0 processors.
//
// Example with a pool of 8 processors: there is an outage of 6 on [10, 30) and one of 4 on [20,
// 80). From 20 to 30, 10 processors should be unavailable, so none is left. At 30 the first outage
// ends; the other still takes 4 of the 8 processors, so 4 are available.
class PoolOutages {
  public:
    // `site` must come from completed(), and must outlive this object.
    explicit PoolOutages(const Site& site);

    // Adds the drains to `plans`, which has one plan for each pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // Begins or ends the outage with this index at `time`. `busy` gives the number of processors in
    // use in each pool.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans,
               const std::vector<ProcCount>& busy);
    void end(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // Takes all processors of all pools out of service for repair at `time`, or puts them back.
    void begin_repair(Time time, std::vector<PoolPlan>& plans);
    void end_repair(Time time, std::vector<PoolPlan>& plans);

    // Returns the number of available processors in the pool, whether busy or free.
    ProcCount present(PoolId pool) const;
    // Returns the number of unavailable processors in all pools together.
    ProcCount absent() const;

    // Returns true if an outage that kills jobs, or a repair, takes processors from the pool. Jobs
    // may then run only on available processors, even during a drain.
    bool kills_in(PoolId pool) const { return killed_[pool] > 0; }

    // Returns the number of processors that an outage in progress takes from the pool.
    ProcCount share(std::uint32_t index, PoolId pool) const { return shares_[index][pool]; }

    // Returns all changes in the number of available processors of the machine. The list is empty
    // if no processor was ever unavailable.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    void take(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void give(PoolId pool, ProcCount processors, bool kills, PoolPlan& plan);
    void note(Time time);

    const Site* site_;
    // The processors that each outage in progress takes from each pool.
    std::vector<std::vector<ProcCount>> shares_;
    std::vector<ProcCount> away_; // for each pool, the processors taken by all outages in progress
    // For each pool, the processors taken by repairs and by outages that kill jobs.
    std::vector<ProcCount> killed_;
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
