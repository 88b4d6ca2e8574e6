// Pools of a machine of nodes, planned by job: what runs where, what is reserved and promised.
//
// Example: two nodes of 4 cores. A job on 3 cores runs on node 0 until 100. One that takes a node
// whole starts on node 1; a second one is reserved one node of the class at 100.
#pragma once

#include "availability/node_fences.hpp"
#include "availability/node_outages.hpp"
#include "availability/node_reservations.hpp"
#include "availability/node_search.hpp"
#include "availability/node_state.hpp"
#include "availability/start_times.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace slotwise {

class NodePools {
  public:
    NodePools(const Site& site, std::shared_ptr<const JobShapes> shapes, std::size_t n_jobs,
              Time origin);

    const JobShapes& shapes() const { return state_.shapes(); }
    const NodeState& state() const { return state_; }
    NodeState& state() { return state_; }
    NodeOutages& outages() { return outages_; }
    const NodeOutages& outages() const { return outages_; }
    NodeReservations& reservations() { return reservations_; }
    const NodeReservations& reservations() const { return reservations_; }
    void advance(Time now);

    // Cores of the pool that no job has.
    std::int64_t free_cores(PoolId pool) const;

    // True where the job may start now for `length`, which may be 0: on the places that start()
    // takes next.
    bool fits_now(JobId job, Time length);

    // The same inside an open reservation of its user, for as long as that is open.
    bool fits_inside(JobId job, std::uint32_t reservation);

    // Reason why the job cannot start now for `length` on the nodes of these numbers, which its
    // queue may name; empty where it can, on the places that start() takes next.
    std::string place_on(JobId job, std::span<const std::int32_t> numbers,
                         const std::vector<std::int32_t>& queue_nodes, Time length);

    // Places found last.
    std::span<const Place> found() const { return found_; }

    // A job starts on the places found last, or gives them back, planned until `planned_end`; or it
    // is planned until another end.
    void start(JobId job, Time planned_end);
    void start_inside(JobId job, std::uint32_t reservation, Time planned_end);
    void vacate(JobId job, Time planned_end);
    void prolong(JobId job, Time planned_end, Time end);

    // Places of a running job, by ascending node.
    std::span<const Place> places(JobId job) const { return places_.at(job); }

    // Places of every last start, by node as the machine numbers them.
    const JobPlaces& started() const { return started_; }

    // Earliest place for a job, from `from` on, at one of `starts` where they are given; kNever
    // where there is none. length > 0.
    Time earliest(JobId job, Time length, Time from);
    Time earliest_start(JobId job, Time length, Time from, const StartTimes& starts);

    // Reservations in a pool, until they are dropped together. False: there is no place.
    bool reserve(PoolId pool, JobId job, Time length);
    void reserve_at(PoolId pool, JobId job, Time from, Time length);
    void drop_reservations(PoolId pool);
    bool all_reserved_later() const; // than now

    // Promises: a job is promised [start, start + length), which enters the plan. It is taken out
    // of the plan (sign −1), and put in again (1) or forgotten.
    void promise(JobId job, Time start, Time length);
    void lay(JobId job, int sign);
    const NodeHold& promised(JobId job) const { return promises_.at(job).hold; }
    void forget_promise(JobId job) { promises_.erase(job); }
    void forget_promises() { promises_.clear(); }

    // True where a promise that is out of the plan has room; where it may start now, on the places
    // that start() takes next.
    bool has_room(JobId job);
    bool fits_promise(JobId job);

    // True where more is planned than there is.
    bool is_overdrawn() const { return state_.is_overdrawn(); }

    // Something was given back: jobs that did not fit are tried again.
    void note_eased() { ++turn_; }

  private:
    struct Held {
        JobId job;
        Time from;
        Time to;
        NodeHold hold;
    };
    struct Reserved {
        PoolId pool;
        Held held;
    };
    struct Failure { // of a shape that had no room for `length`
        std::uint64_t turn = 0;
        Time length = 0;
    };

    const JobShape& shape(JobId job) const { return shapes().of(job); }
    void plan(const Held& held, int sign);

    NodeState state_;
    NodeFences fences_;
    NodeOutages outages_;
    NodeReservations reservations_;
    std::vector<std::vector<std::size_t>> classes_of_;     // by pool
    std::unordered_map<JobId, std::vector<Place>> places_; // of running jobs
    JobPlaces started_;
    std::vector<Place> numbered_; // scratch
    std::vector<Reserved> reserved_;
    std::unordered_map<JobId, Held> promises_;
    std::vector<Place> found_;
    std::uint64_t turn_ = 1;        // grows whenever something is given back
    std::vector<Failure> failures_; // by shape
};

} // namespace slotwise
