// Finds jobs that need consecutive nodes but can never run, because recurring windows never leave
// enough room.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Rejects jobs that can never run, because recurring drains and reservations never leave enough
// consecutive nodes free for the requested time. A job can start only in a pass that runs while its
// queue is open. A job that fits inside a reservation of its user or group is not rejected, but can
// start only there. The site must come from completed(), and its jobs must take consecutive nodes
// of a torus.
void reject_without_interval(const Site& site, const ReplayJobs& jobs, Routing& routing);

} // namespace slotwise
