// Pools of a machine with nodes. Each pool is a partition group: the nodes of queues that overlap.
//
// Example: queue "a" names nodes 0 to 3, "b" 3 to 5, "c" 6 and 7. The pools are {0, …, 5}, which
// "a" and "b" share, and {6, 7}.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// The site, with one pool per partition group. A site without queues gets one queue that takes
// every job.
Site with_partitions(Site site);

} // namespace slotwise
