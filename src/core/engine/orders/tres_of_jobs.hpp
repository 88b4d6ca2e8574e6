// Shares of jobs in the resources of their partitions, for orders that read them.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/tres_shares.hpp"
#include "site/site.hpp"

namespace slotwise {

// Divides the request of each job by the sum over the nodes of its queue (without one, of the
// machine). As in Slurm, a job that requests no memory counts the memory of the first of these
// nodes for each of its own. `routing` is null if the site has no queues.
TresShares tres_of_jobs(const Site& site, const Routing* routing, const ReplayJobs& jobs);

} // namespace slotwise
