// Computes each job's share of the resources of its partition, for orders that use such shares.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/tres_shares.hpp"
#include "site/site.hpp"

namespace slotwise {

// For each resource, divides the amount that a job requests by the total amount on the nodes of its
// queue. If the site has no queues, divides by the total amount on the machine. If a job requests
// no memory, each of its nodes is assumed to use the memory of the queue's first node, as in Slurm.
// `routing` is null if the site has no queues.
TresShares tres_of_jobs(const Site& site, const Routing* routing, const ReplayJobs& jobs);

} // namespace slotwise
