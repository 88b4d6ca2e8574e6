// Demands of the jobs of a site on the nodes of their queues.
#pragma once

#include "machine/nodes/job_shapes.hpp"
#include "site/site.hpp"

#include <memory>
#include <span>

namespace slotwise {

// Demands of the jobs on a completed site with nodes, depending on each job's queue.
std::shared_ptr<const JobShapes> shapes_of(const Site& site, std::span<const QueueId> queue_of,
                                           std::span<const std::int32_t> user_of);

} // namespace slotwise
