// Pools of a machine with nodes. Each pool contains the nodes of a partition group, which is a set
// of queues whose nodes overlap.
//
// Example: queue "a" uses nodes 0 to 3, queue "b" uses nodes 3 to 5, and queue "c" uses nodes 6 and
// 7. One pool contains nodes 0 to 5 and is shared by "a" and "b"; the other contains nodes 6 and 7.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Returns the site with one pool per partition group. A site without queues gets one queue that
// accepts every job.
Site with_partitions(Site site);

} // namespace slotwise
