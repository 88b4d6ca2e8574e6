// The demand of a job, and data about it that a plan needs for each node class of the machine.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

struct PlannedDemand {
    PlannedDemand(const Nodes& nodes, UnitDemand demand,
                  PlacementRule rule = PlacementRule::least_scarce);

    UnitDemand demand;
    PlacementRule rule;
    UnitRoom room;
    UnitRoom unit; // same as `room`, for a job with a single unit
    std::vector<UnitRoom::OnClass> on_class;
    std::vector<std::size_t> classes; // the classes on which a unit fits, in the order of `rule`

    // True if a unit takes all cores of any node on which it fits.
    bool takes_whole_nodes;
    // True if the rule tries the nodes in ascending order of their numbers.
    bool in_node_order;
};

// The demands of the jobs in a replay. Each demand is prepared when it is first used.
class PlannedDemands {
  public:
    explicit PlannedDemands(std::shared_ptr<const JobDemands> jobs)
        : jobs_(std::move(jobs)), of_kind_(jobs_->kinds.size()) {}

    const PlannedDemand& of(JobId job) const {
        const std::shared_ptr<const PlannedDemand>& known = of_kind_[jobs_->kind_of[job]];
        return known ? *known : prepare(jobs_->kind_of[job]);
    }

  private:
    const PlannedDemand& prepare(std::uint32_t kind) const;

    std::shared_ptr<const JobDemands> jobs_;
    mutable std::vector<std::shared_ptr<const PlannedDemand>> of_kind_;
};

} // namespace slotwise
