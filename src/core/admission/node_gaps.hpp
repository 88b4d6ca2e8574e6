// Finds jobs on nodes that never fit between windows that recur forever.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Rejects jobs for which recurring drains and reservations never leave enough nodes for their
// requested time, starting at a pass while their queue is open. A job that fits inside a
// reservation of its user or group is not rejected, but can start only there. The site must be
// completed and have nodes.
void reject_without_gap(const Site& site, const ReplayJobs& jobs, Routing& routing);

} // namespace slotwise
