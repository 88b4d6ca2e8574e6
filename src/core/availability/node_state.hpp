// The state of the nodes of a site: what jobs occupy now, and what is planned.
//
// The two differ if a job still occupies its nodes after its planned end. Either its planned length
// was 0, or the job has exceeded its estimate and the plan has not been corrected yet. Its nodes
// are then free in the plan, but not free now.
#pragma once

#include "availability/free_groups/free_groups.hpp"
#include "availability/node_counts.hpp"
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

    // Adds the places of a job of this shape to the plan on [begin, end) (sign 1), or removes them
    // (sign −1). The places must be in ascending order of nodes. plan_away() does the same for
    // named nodes that are unavailable.
    void plan(const JobShape& shape, std::span<const Place> places, Time begin, Time end, int sign);
    void plan_away(std::span<const std::int32_t> nodes, Time begin, Time end, int sign);

    // These functions count nodes for has_reserved() (sign 1), or stop counting them (sign −1).
    // note_reserved() counts the places of a job's reservation. note_away() counts the named nodes
    // of a planned downtime or user reservation.
    void note_reserved(std::span<const Place> places, int sign);
    void note_away(std::span<const std::int32_t> nodes, int sign);
    bool has_reserved(std::size_t node_class) const { return n_reserved_[node_class] > 0; }

    // Returns the groups of the class that have free cores now. Must not be called between
    // NodeCounts::use() and NodeCounts::undo().
    std::span<FreeGroup> free_groups(std::size_t node_class) {
        return free_groups_.of(node_class, groups_, counts_);
    }

    // Returns the users on each node, or null if any two jobs may share a node.
    const NodeTenants* tenants() const { return tenants_ ? &*tenants_ : nullptr; }

    // Returns true if the plan uses more resources of some node than it has, or places jobs on the
    // same node although they may not share it.
    bool is_overdrawn() const;

    // These functions change the current state, but not the plan. take() records that a job takes
    // its places (sign 1) or leaves them (sign −1). take_away() records that nodes become
    // unavailable (sign 1) or return to service (sign −1). The nodes are either named or given as a
    // number of nodes in a class.
    void take(const JobShape& shape, std::span<const Place> places, int sign);
    void take_away(std::span<const std::int32_t> nodes, int sign);
    void take_away(std::size_t node_class, std::int32_t nodes, int sign) {
        n_away_[node_class] += sign * nodes;
        changes_.note_class(node_class, sign * nodes < 0);
    }

    // with_cores() returns the nodes that have a free core, and idle_nodes() returns the idle
    // nodes. Both leave out the nodes for which is_away() is true.
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

    // The following functions return counts for one class: available idle nodes, nodes with jobs,
    // and free cores.
    std::int32_t idle(std::size_t node_class) const {
        const std::int32_t idle = n_idle_[node_class] - n_away_[node_class];
        return idle > 0 ? idle : 0;
    }
    std::int32_t busy(std::size_t node_class) const { return n_busy_[node_class]; }
    std::int64_t free_cores(std::size_t node_class) const { return free_sum_[node_class][0]; }

    // Returns the record of changes. take() and take_away() add to it; callers add the changes to
    // the plan that may let a job start.
    NodeChanges& changes() { return changes_; }
    const NodeChanges& changes() const { return changes_; }

    // Returns the total free amounts of the nodes in the class. Leaves out named nodes that are
    // unavailable.
    const Amounts& free_sum(std::size_t node_class) const { return free_sum_[node_class]; }

  private:
    void change(std::size_t node_class, std::span<const Place> places, const Amounts& each,
                Time begin, Time end, std::int64_t sign);
    template <class Change> void update(std::int32_t node, Change&& change);

    std::shared_ptr<const JobShapes> shapes_;
    NodeGroups groups_; // free amounts in the plan
    NodeCounts counts_;
    FreeGroups free_groups_;
    std::optional<NodeTenants> tenants_;
    std::vector<Amounts> free_; // free amounts of each node at the current instant
    // For each node, the number of outages, repairs and open reservations that name it.
    std::vector<std::int32_t> away_;
    std::vector<std::uint8_t> is_idle_; // for each node, 1 if away_ is 0 and no job uses the node
    NodeBits with_cores_;
    NodeBits idle_nodes_;
    std::vector<std::int32_t> n_idle_; // one element per class
    std::vector<std::int32_t> n_busy_; // one element per class
    // For each class, the number of nodes taken by outages, repairs and open reservations that name
    // no nodes.
    std::vector<std::int32_t> n_away_;
    std::vector<Amounts> free_sum_;          // total free amounts of each class
    std::vector<std::int32_t> n_named_away_; // one element per class
    // For each class, the number of nodes that note_reserved() and note_away() count.
    std::vector<std::int32_t> n_reserved_;
    NodeChanges changes_;
    std::vector<Place> scratch_;
};

} // namespace slotwise
