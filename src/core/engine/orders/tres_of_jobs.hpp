// The share that each job requests of the resources of its partition, for the orders that read
// these shares.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/tres_shares.hpp"
#include "site/site.hpp"

namespace slotwise {

// For each resource, divides the amount that a job requests by the total amount on the nodes of its
// queue, or of the whole machine if the site has no queues. As in Slurm, if a job requests no
// memory, each of its nodes counts with the memory of the first node of the queue. `routing` is
// null if the site has no queues.
TresShares tres_of_jobs(const Site& site, const Routing* routing, const ReplayJobs& jobs);

} // namespace slotwise
