// Nodes kept for some users, and the jobs that run on them.
//
// Example: 4 nodes of a type are kept for user 7 on [100, 200). At 100 a job of user 7 on 3 nodes
// for 90 s starts inside: other jobs find as many nodes as before. One for 110 s would end too late
// and counts as any other job.
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
    // `site` is completed and outlives this.
    NodeReservations(const Site& site, const NodeLayout& layout);

    void announce(NodeFences& fences, Time now) const;

    // The window of this index opens at `time`; it closes: jobs inside now count like any other.
    void begin(std::uint32_t index, Time time, NodeState& state);
    void end(std::uint32_t index, NodeState& state);

    bool is_open(std::uint32_t index) const { return open_[index].until != kNever; }
    Time until(std::uint32_t index) const { return open_[index].until; }

    // Nodes of an open reservation that no job has.
    std::int32_t left(std::uint32_t index) const;

    // Nodes that it names, and the number of each class that no job inside has while it is open.
    using Numbers = std::vector<std::pair<std::size_t, std::int32_t>>; // class, so many
    const std::vector<std::int32_t>& named(std::uint32_t index) const {
        return nodes_[index].named;
    }
    const Numbers& numbers_left(std::uint32_t index) const { return open_[index].left; }

    bool is_inside(JobId job) const { return inside_.contains(job); }

    // A job starts inside, planned until `planned_end`, or leaves, or its planned end changes. Its
    // own places are in the plan separately.
    void enter(std::uint32_t index, JobId job, std::span<const Place> places, Time planned_end,
               NodeState& state);
    void leave(JobId job, Time planned_end, NodeState& state);
    void prolong(JobId job, Time planned_end, Time end, NodeState& state);

  private:
    struct Open {
        Time until = kNever; // kNever: it is not open
        Numbers left;        // by class
    };
    struct Inside {
        std::uint32_t index;
        Numbers nodes;
    };

    void keep(const Numbers& numbers, Time to, int sign, NodeState& state) const;

    const Site* site_;
    const NodeLayout* layout_;
    std::vector<NodesAway> nodes_; // by reservation
    std::vector<Open> open_;       // by reservation
    std::unordered_map<JobId, Inside> inside_;
};

} // namespace slotwise
