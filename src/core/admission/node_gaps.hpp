// Finds jobs that can never run because recurring windows never leave enough nodes free.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Rejects jobs that can never run, because recurring drains and reservations never leave enough
// nodes free for the requested time. A job can start only in a pass that runs while its queue is
// open. A job that fits inside a reservation of its user or group is not rejected, but can start
// only there. The site must come from completed() and must have nodes.
void reject_without_gap(const Site& site, const ReplayJobs& jobs, Routing& routing);

} // namespace slotwise
