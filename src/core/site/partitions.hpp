// Pools of a machine of nodes: partition groups, which are queues whose nodes overlap.
//
// Example: queue "a" names nodes 0 to 3, "b" 3 to 5, "c" 6 and 7. The pools are {0, …, 5}, which
// "a" and "b" share, and {6, 7}.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// The site of nodes with a pool per partition group and, if it has no queue, one for every job.
Site with_partitions(Site site);

} // namespace slotwise
