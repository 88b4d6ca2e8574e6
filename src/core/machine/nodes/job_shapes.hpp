// The shapes of jobs. A shape describes what jobs with the same demand in the same queue need: the
// nodes on which their units may run, and the order in which these nodes are tried.
//
// Example: jobs that request 1 core wait in queue "a", which uses only nodes of type 1, and in
// queue "b", which uses all nodes. These jobs have two shapes. Jobs of the first shape may run only
// on nodes of type 1.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/node_layout.hpp"
#include "machine/nodes/node_tenants.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// The kind of resources that a reservation keeps free for a job.
enum class Keeping : std::uint8_t {
    whole_nodes, // a number of nodes per class
    cores,       // a number of cores per class
    places       // particular nodes, and a number of units on each
};

struct JobShape {
    UnitDemand demand;
    // The job's user. Used if some jobs share nodes only with jobs of their own user.
    NodeTenants::Tenant tenant;
    Keeping keeping = Keeping::places;
    std::vector<std::int32_t> room;   // per class: units that fit on an idle node; 0: not allowed
    std::vector<std::uint8_t> whole;  // per class: 1 if a unit takes a whole node
    std::vector<std::size_t> classes; // classes with room > 0, in the order of placement
    // The nodes of `classes`, in the order of placement.
    std::shared_ptr<const std::vector<std::int32_t>> nodes;
    bool interleaves = false; // true if `nodes` is not ordered class by class

    // Returns the amounts that a unit takes on a node of the class.
    const Amounts& each_on(std::size_t node_class, const NodeLayout& layout) const {
        return demand.exclusive == Exclusive::job ? layout.capacity(node_class) : demand.each;
    }
    // Returns the share of an idle node's capacity that the job's units leave free, summed over the
    // resources.
    double left_on_idle(std::size_t node_class, const NodeLayout& layout) const;
    // Returns a lower bound on the number of cores that all units of the job take together.
    std::int32_t least_cores() const {
        const std::int64_t cores = std::int64_t{demand.units} * demand.each[0];
        return static_cast<std::int32_t>(std::min<std::int64_t>(cores, 0x7FFFFFFF));
    }
    UnitRoom unit_room() const { return UnitRoom(demand); }
};

// The shapes of all jobs. Objects of this class never change.
class JobShapes {
  public:
    // `queue_nodes[q]` lists the nodes of queue q; an empty list means all nodes. `queue_of` and
    // `user_of` have one entry per job. `user_of` may be empty, and an entry of -1 means that the
    // user is unknown. If `by_nodes` is true, every reservation names the nodes that it reserves.
    JobShapes(std::shared_ptr<const JobDemands> demands, NodeLayout layout,
              std::span<const std::vector<std::int32_t>> queue_nodes,
              std::span<const std::uint16_t> queue_of, std::span<const std::int32_t> user_of,
              bool by_nodes);

    const NodeLayout& layout() const { return layout_; }
    const JobDemands& demands() const { return *demands_; }
    const JobShape& of(JobId job) const { return shapes_[of_job_[job]]; }
    const JobShape& operator[](std::uint32_t number) const { return shapes_[number]; }
    std::uint32_t number_of(JobId job) const { return of_job_[job]; }
    std::span<const std::uint32_t> numbers() const { return of_job_; } // by job
    std::size_t size() const { return shapes_.size(); }
    bool shares_nodes() const { return shares_nodes_; } // true if some jobs may share nodes

    // Returns true if some job shares nodes only with jobs of its own user. In this case, jobs of
    // different users have different shapes. Reservations then never count cores, because a number
    // of cores does not show whose jobs use the cores.
    bool tells_users() const { return tells_users_; }

    // Returns true if a reservation that names places prefers nodes that are busy at the moment.
    bool busy_nodes_first() const { return !by_nodes_; }

    // Returns true if the job fits on idle nodes alone. `count_of(class)` is the number of idle
    // nodes of a class.
    template <class CountOf> static bool has_room(const JobShape& shape, CountOf&& count_of);
    bool can_hold(JobId job) const;

  private:
    struct Order {
        std::shared_ptr<const std::vector<std::int32_t>> nodes;
        std::size_t n_runs; // number of runs in `nodes`; the nodes of a run share a class
    };

    JobShape make(const UnitDemand& demand, const std::vector<std::int32_t>& queue_nodes,
                  bool by_nodes) const;
    bool satisfies(std::int32_t constraint, std::size_t node_class) const;
    void order(JobShape& shape);

    std::shared_ptr<const JobDemands> demands_;
    NodeLayout layout_;
    std::vector<JobShape> shapes_;
    std::vector<std::uint32_t> of_job_;
    bool shares_nodes_ = false;
    bool tells_users_;
    bool by_nodes_;
    std::map<std::vector<std::int32_t>, Order> orders_; // key: rank of each class
};

// If the demand fixes the number of nodes, the nodes that can hold the most units are counted
// first.
template <class CountOf> bool JobShapes::has_room(const JobShape& shape, CountOf&& count_of) {
    const UnitDemand& demand = shape.demand;
    std::map<std::int32_t, std::int64_t, std::greater<>> nodes_with; // key: units that fit
    std::int64_t units = 0;
    for (const std::size_t c : shape.classes) {
        nodes_with[shape.room[c]] += count_of(c);
        units += std::int64_t{shape.room[c]} * count_of(c);
    }
    if (demand.nodes == 0) return units >= demand.units;
    std::int64_t left = demand.nodes;
    units = 0;
    for (const auto& [room, count] : nodes_with) {
        const std::int64_t taken = std::min<std::int64_t>(left, count);
        units += taken * room;
        left -= taken;
    }
    return left == 0 && demand.units >= demand.nodes && units >= demand.units;
}

} // namespace slotwise
