#include "machine/nodes/job_demands.hpp"
#include "site/backfill.hpp"
#include "site/site.hpp"

#include <algorithm>

namespace slotwise {

bool Site::suits_nodes_alone() const {
    const bool is_believed = policy.estimates == Estimates::exact ||
                             (policy.estimates == Estimates::requested && policy.kill_at_limit);
    const BackfillEntry& backfill = backfill_registry().find(policy.backfill);
    if (policy.reserve != Reserve::nodes || plans_queues || !is_believed ||
        !backfill.works_on.nodes_alone)
        return false;
    // The node planners without queues may promise a start between two periodic passes, when no job
    // can start.
    if (policy.passes == Passes::periodic && backfill.plan != nullptr &&
        backfill.plan(policy, 1).promises)
        return false;
    return std::none_of(demands->kinds.begin(), demands->kinds.end(),
                        [](const UnitDemand& demand) { return demand.has_rules(); });
}

bool Site::suits_torus_alone() const {
    const BackfillEntry& backfill = backfill_registry().find(policy.backfill);
    return !is_contiguous(policy.allocation) || backfill.works_on.intervals_alone ||
           !backfill.works_on.intervals;
}

} // namespace slotwise
