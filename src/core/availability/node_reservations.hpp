// Nodes reserved for certain users, and the jobs that run on them.
//
// Example: 4 nodes of a type are reserved for user 7 on [100, 200). At 100, a job of user 7 on 3
// nodes for 90 s starts inside the reservation; other jobs can use as many nodes as before. A job
// for 110 s would end too late, so it is treated like any other job.
#pragma once

#include "availability/node_fences.hpp"
#include "availability/node_outages.hpp"
#include "availability/node_state.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

class NodeReservations {
  public:
    // `site` must come from completed(), and must outlive this object.
    NodeReservations(const Site& site, const NodeLayout& layout);

    void announce(NodeFences& fences, Time now) const;

    // begin() opens a window of the reservation with this index at `time`, and end() closes it.
    // After end(), jobs that still run inside the reservation are counted like all other jobs.
    void begin(std::uint32_t index, Time time, NodeState& state);
    void end(std::uint32_t index, NodeState& state);

    bool is_open(std::uint32_t index) const { return open_[index].until != kNever; }
    Time until(std::uint32_t index) const { return open_[index].until; }

    // Returns the number of named nodes of an open reservation that are in service without a job.
    std::int32_t named_left(std::uint32_t index, const NodeState& state) const;

    // Returns true if no node is left for another job inside the reservation. Named nodes may hold
    // several jobs, so a reservation that names nodes is never full.
    bool is_full(std::uint32_t index) const;

    // named() returns the nodes that the reservation names. If it names none, numbers_left()
    // returns the number of unused nodes of each class while the reservation is open.
    using Numbers = std::vector<std::pair<std::size_t, std::int32_t>>; // class, number of nodes
    const std::vector<std::int32_t>& named(std::uint32_t index) const {
        return nodes_[index].named;
    }
    const Numbers& numbers_left(std::uint32_t index) const { return open_[index].left; }

    bool is_inside(JobId job) const { return inside_.contains(job); }
    bool any_inside() const { return !inside_.empty(); }

    // These functions add a job that starts inside the reservation, remove a job that ends, and
    // move a job's planned end. The job's own places are planned separately.
    void enter(std::uint32_t index, JobId job, std::span<const Place> places, Time planned_end,
               NodeState& state);
    void leave(JobId job, Time planned_end, NodeState& state);
    void prolong(JobId job, Time planned_end, Time end, NodeState& state);

  private:
    struct Open {
        Time until = kNever; // end of the open window; kNever while none is open
        Numbers left;        // unused nodes of each class; empty if the nodes are named
    };
    struct Inside {
        std::uint32_t index;
        Numbers nodes;
    };

    void keep(const Numbers& numbers, Time to, int sign, NodeState& state) const;

    const Site* site_;
    const NodeLayout* layout_;
    std::vector<NodesAway> nodes_; // one element per reservation
    std::vector<Open> open_;       // one element per reservation
    std::unordered_map<JobId, Inside> inside_;
};

} // namespace slotwise
