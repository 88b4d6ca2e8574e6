// Jobs on consecutive nodes that never fit between windows that come back for ever.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Rejects the jobs for which drains and reservations that recur never leave consecutive nodes for
// their requested time, from a pass on while their queue is open. A job that fits inside a
// reservation of its user or group is not rejected; it has no room anywhere else. Of a completed
// site whose torus gives jobs consecutive nodes.
void reject_without_interval(const Site& site, const ReplayJobs& jobs, Routing& routing);

} // namespace slotwise
