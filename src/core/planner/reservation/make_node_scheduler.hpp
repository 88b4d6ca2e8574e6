// Creates the planner for a machine with nodes but without queues.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "planner/scheduler.hpp"

#include <memory>

namespace slotwise {

// Returns the planner for the policy. Requires a site for which suits_nodes_alone() is true.
std::unique_ptr<Scheduler> make_node_scheduler(const ReplayContext& context,
                                               std::shared_ptr<const JobDemands> jobs);

} // namespace slotwise
