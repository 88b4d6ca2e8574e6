// Nodes of a site: what jobs occupy now, and what is planned.
//
// The two differ if a job occupies its nodes beyond its planned end. Either its planned length is
// 0, or it has outlived its estimate and the plan is not yet corrected. Its nodes are then free in
// the plan, but not free now.
#pragma once

#include "availability/node_counts.hpp"
#include "availability/openings/node_openings.hpp"
#include "containers/node_bits.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "machine/nodes/node_changes.hpp"
#include "machine/nodes/node_groups.hpp"
#include "machine/nodes/node_tenants.hpp"
#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

class NodeState {
  public:
    NodeState(std::shared_ptr<const JobShapes> shapes, Time origin);

    const JobShapes& shapes() const { return *shapes_; }
    const NodeLayout& layout() const { return shapes_->layout(); }
    const NodeGroups& groups() const { return groups_; }
    NodeCounts& counts() { return counts_; }
    const NodeCounts& counts() const { return counts_; }
    Time now() const { return groups_.now(); }
    void advance(Time now);

    // Plans places, in ascending order of nodes, on [begin, end) for a job of the shape (sign 1),
    // or withdraws that plan (−1). plan_away() does the same for a downtime of named nodes.
    void plan(const JobShape& shape, std::span<const Place> places, Time begin, Time end, int sign);
    void plan_away(std::span<const std::int32_t> nodes, Time begin, Time end, int sign);

    // Counts the places of a reservation, or named nodes with a planned downtime (sign 1), or stops
    // counting them (−1).
    void note_reserved(std::span<const Place> places, int sign);
    void note_away(std::span<const std::int32_t> nodes, int sign);
    bool has_reserved(std::size_t node_class) const { return n_reserved_[node_class] > 0; }

    // Groups of the class with free cores now. Nothing may be counted as used meanwhile.
    std::span<NodeOpenings::Opening> openings(std::size_t node_class) {
        return openings_.of(node_class, groups_, counts_);
    }

    // Users on each node; null if any jobs may share a node.
    const NodeTenants* tenants() const { return tenants_ ? &*tenants_ : nullptr; }

    // True if the plan uses more of some node than it has, or puts jobs on one node that may not
    // share it.
    bool is_overdrawn() const;

    // Changes the present: a job takes or leaves its places; nodes become unavailable or return, by
    // name or by number.
    void take(const JobShape& shape, std::span<const Place> places, int sign);
    void take_away(std::span<const std::int32_t> nodes, int sign);
    void take_away(std::size_t node_class, std::int32_t nodes, int sign) {
        n_away_[node_class] += sign * nodes;
        changes_.note_class(node_class, sign * nodes < 0);
    }

    // Available nodes with a free core, and those that are idle.
    const NodeBits& with_cores() const { return with_cores_; }
    const NodeBits& idle_nodes() const { return idle_nodes_; }

    bool is_idle(std::int32_t node) const { return is_idle_[static_cast<std::size_t>(node)] != 0; }
    bool has_job(std::int32_t node) const {
        const std::size_t c = layout().class_of[static_cast<std::size_t>(node)];
        return free(node)[0] != layout().capacity(c)[0];
    }
    bool is_away(std::int32_t node) const { return n_away(node) > 0; }
    std::int32_t n_away(std::int32_t node) const { return away_[static_cast<std::size_t>(node)]; }
    std::int32_t away_by_number(std::size_t node_class) const { return n_away_[node_class]; }
    std::int32_t away_by_name(std::size_t node_class) const { return n_named_away_[node_class]; }
    const Amounts& free(std::int32_t node) const { return free_[static_cast<std::size_t>(node)]; }

    // Idle nodes of the class, minus those unavailable by number; nodes with jobs; free cores.
    std::int32_t idle(std::size_t node_class) const {
        const std::int32_t idle = n_idle_[node_class] - n_away_[node_class];
        return idle > 0 ? idle : 0;
    }
    std::int32_t busy(std::size_t node_class) const { return n_busy_[node_class]; }
    std::int64_t free_cores(std::size_t node_class) const { return free_sum_[node_class][0]; }

    // Changes to what is free or planned, except reservations.
    NodeChanges& changes() { return changes_; }
    const NodeChanges& changes() const { return changes_; }

    // Free amounts of all nodes of the class together, except those unavailable by name.
    const Amounts& free_sum(std::size_t node_class) const { return free_sum_[node_class]; }

  private:
    void change(std::size_t node_class, std::span<const Place> places, const Amounts& each,
                Time begin, Time end, std::int64_t sign);
    template <class Change> void update(std::int32_t node, Change&& change);

    std::shared_ptr<const JobShapes> shapes_;
    NodeGroups groups_; // planned
    NodeCounts counts_;
    NodeOpenings openings_;
    std::optional<NodeTenants> tenants_;
    std::vector<Amounts> free_;         // one per node, now
    std::vector<std::int32_t> away_;    // per node: number of outages that name it
    std::vector<std::uint8_t> is_idle_; // per node: 1 if it is available and has no job
    NodeBits with_cores_;
    NodeBits idle_nodes_;
    std::vector<std::int32_t> n_idle_;       // one per class
    std::vector<std::int32_t> n_busy_;       // one per class
    std::vector<std::int32_t> n_away_;       // per class: nodes unavailable by number
    std::vector<Amounts> free_sum_;          // one per class, over its available nodes
    std::vector<std::int32_t> n_named_away_; // one per class
    std::vector<std::int32_t> n_reserved_;   // per class: places of reservations
    NodeChanges changes_;
    std::vector<Place> scratch_;
};

} // namespace slotwise
