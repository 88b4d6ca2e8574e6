// Jobs on nodes that never fit between windows that come back for ever.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Rejects the jobs for which drains and reservations that recur never leave enough nodes for their
// requested time, from a pass on while their queue is open; unless a reservation of their user or
// group does. Of a completed site of nodes.
void reject_without_gap(const Site& site, const ReplayJobs& jobs, Routing& routing);

} // namespace slotwise
