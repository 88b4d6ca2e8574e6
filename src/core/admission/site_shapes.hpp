// Demands of the jobs of a site on the nodes of their queues.
#pragma once

#include "machine/nodes/job_shapes.hpp"
#include "site/site.hpp"

#include <memory>
#include <span>

namespace slotwise {

// Returns the demands of the jobs on a completed site with nodes. A job's demand depends on its
// queue.
std::shared_ptr<const JobShapes> shapes_of(const Site& site, std::span<const QueueId> queue_of,
                                           std::span<const std::int32_t> user_of);

} // namespace slotwise
