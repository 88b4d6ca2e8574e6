// Pools on a machine with nodes, with their running jobs, reservations and promises. Each job is
// planned individually.
//
// Example with two 4-core nodes: a job on 3 cores runs on node 0 until 100. A whole-node job starts
// on node 1. A second whole-node job gets node 0 reserved from 100 onwards.
#pragma once

#include "availability/node_fences.hpp"
#include "availability/node_outages.hpp"
#include "availability/node_reservations.hpp"
#include "availability/node_search.hpp"
#include "availability/node_state.hpp"
#include "availability/start_times.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "planner/held_nodes.hpp"
#include "planner/job_pools.hpp"
#include "planner/node_refusals.hpp"
#include "planner/nodes/refused_shapes.hpp"
#include "planner/nodes/reserved_nodes.hpp"
#include "planner/reservation/lifted_promise.hpp"
#include "planner/sweep_moves.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace slotwise {

class NodePools final : public JobPools {
  public:
    NodePools(const Site& site, std::shared_ptr<const JobShapes> shapes, std::size_t n_jobs,
              Time origin);

    const JobShapes& shapes() const { return state_.shapes(); }
    NodeState& state() {
        reserved_.settle(state_);
        return state_;
    }
    NodeOutages& outages() { return outages_; }
    const NodeOutages& outages() const { return outages_; }
    NodeReservations& reservations() { return reservations_; }
    void advance(Time now) override;

    // Returns the number of unused cores in the pool.
    std::int64_t free_processors(PoolId pool) const override;
    ProcCount most_now(PoolId pool) const override {
        constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
        return static_cast<ProcCount>(std::clamp<std::int64_t>(free_processors(pool), 0, most));
    }

    bool fits_now(JobId job, Time length) override;
    bool fits_inside(JobId job, Time length, std::uint32_t reservation) override;

    // Returns the reason why the job cannot start now and run for `length` on the nodes with these
    // numbers. `queue_nodes` are the nodes of the job's queue. If the job can start, returns an
    // empty string; start() then uses the places found here.
    std::string place_on(JobId job, std::span<const std::int32_t> numbers,
                         const std::vector<std::int32_t>& queue_nodes, Time length);

    // Returns the places found by the last search.
    std::span<const Place> found() const { return found_; }

    void start(JobId job, Time planned_end) override;
    void start_inside(JobId job, std::uint32_t reservation, Time planned_end) override;
    void vacate(JobId job, Time planned_end) override;
    void prolong(JobId job, Time planned_end, Time end) override;

    // Returns the places of a running job, in ascending order of nodes.
    std::span<const Place> places(JobId job) const { return places_.at(job); }

    // Returns the places that each job got at its last start, with the machine's node numbers.
    const JobPlaces& started() const { return started_; }

    Time earliest(JobId job, Time length, Time from, Time until) override;
    bool reserve(PoolId pool, JobId job, Time length) override;
    void reserve_at(PoolId pool, JobId job, Time from, Time length) override;
    void drop_reservations(PoolId pool) override;

    SweepMoves& moves() { return moves_; }

    // Records that the job cannot start on the nodes that the search found, although it might start
    // on others.
    void note_misplaced(JobId job, Time length);

    void promise(JobId job, Time start, Time length) override;
    void lay(JobId job, int sign) override;
    void forget_promise(JobId job) override { promises_.erase(job); }
    void forget_promises() override { promises_.clear(); }
    bool may_start_earlier(JobId job) override;
    bool has_room(JobId job) override;
    bool fits_promise(JobId job) override;
    bool is_overdrawn() override { return state().is_overdrawn(); }

    bool is_open(std::uint32_t index) const override { return reservations_.is_open(index); }
    Time until(std::uint32_t index) const override { return reservations_.until(index); }
    ProcCount left(std::uint32_t reservation) const override;
    bool is_full(std::uint32_t index) const override { return reservations_.is_full(index); }

    const NodeHold& promised(JobId job) const { return promises_.at(job).hold; }

    // Returns true if the job cannot start now, because nothing that it could use has been freed
    // since its shape was refused.
    bool is_refused(JobId job, Time length) override;

    // Returns a view of the lengths that are refused for each shape.
    RefusedShapes refused() { return {state_, reserved_, refusals_}; }

  private:
    using Held = HeldNodes::Held;

    NodeState state_;
    NodeFences fences_;
    NodeOutages outages_;
    NodeReservations reservations_;
    std::vector<std::vector<std::size_t>> classes_of_;     // one element per pool
    std::unordered_map<JobId, std::vector<Place>> places_; // places of running jobs
    JobPlaces started_;
    std::vector<Place> numbered_; // scratch memory
    std::vector<PoolId> pool_of_class_;
    ReservedNodes reserved_;
    std::unordered_map<JobId, Held> promises_;
    std::vector<Place> found_;
    NodeRefusals refusals_;
    SweepMoves moves_;
    LiftedPromise lifted_;
};

} // namespace slotwise
