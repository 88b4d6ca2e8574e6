// Derives the shapes of a site's jobs from the jobs' demands and from the nodes of their queues.
#pragma once

#include "machine/nodes/job_shapes.hpp"
#include "site/site.hpp"

#include <memory>
#include <span>

namespace slotwise {

// The site must come from completed() and must have nodes.
std::shared_ptr<const JobShapes> shapes_of(const Site& site, std::span<const QueueId> queue_of,
                                           std::span<const std::int32_t> user_of);

} // namespace slotwise
