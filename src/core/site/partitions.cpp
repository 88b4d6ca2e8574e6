#include "site/partitions.hpp"

#include "machine/nodes/job_demands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

// Queues are connected if they use the same node, directly or through other queues. Returns, for
// each queue, the first queue that is connected to it.
std::vector<std::size_t> first_connected(const std::vector<Queue>& queues, std::int32_t n_nodes) {
    std::vector<std::size_t> root(queues.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    std::vector<std::size_t> first_of(static_cast<std::size_t>(n_nodes), queues.size());
    const auto join = [&](std::size_t queue, std::size_t& first) {
        if (first == queues.size()) first = queue;
        const std::size_t into = std::min(root[first], root[queue]);
        const std::size_t from = std::max(root[first], root[queue]);
        std::replace(root.begin(), root.end(), from, into);
    };
    for (std::size_t q = 0; q < queues.size(); ++q) {
        for (const std::int32_t node : queues[q].nodes)
            join(q, first_of[static_cast<std::size_t>(node)]);
        if (!queues[q].nodes.empty()) continue;
        for (std::size_t& first : first_of)
            join(q, first);
    }
    return root;
}

// Returns the number of cores on the nodes that the queues of the group use.
ProcCount cores_of(const Site& site, const std::vector<std::size_t>& root, std::size_t group) {
    const Nodes& machine = *site.demands->nodes;
    std::vector<std::int64_t> cores;
    for (const NodeClass& type : machine.classes)
        cores.insert(cores.end(), static_cast<std::size_t>(type.count), type.capacity[0]);
    std::int64_t sum = 0;
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        if (root[q] != group) continue;
        if (site.queues[q].nodes.empty())
            return static_cast<ProcCount>(std::accumulate(cores.begin(), cores.end(), sum));
        for (const std::int32_t node : site.queues[q].nodes)
            sum += std::exchange(cores[static_cast<std::size_t>(node)], 0);
    }
    return static_cast<ProcCount>(sum);
}

} // namespace

Site with_partitions(Site site) {
    if (site.queues.empty()) site.queues.emplace_back();
    const std::vector<std::size_t> root = first_connected(site.queues, site.demands->nodes->size());
    site.pools.clear();
    std::vector<PoolId> pool_of(site.queues.size(), kAnyPool); // indexed by first queue
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        PoolId& pool = pool_of[root[q]];
        if (pool == kAnyPool) {
            pool = static_cast<PoolId>(site.pools.size());
            Pool group;
            group.name = "machine";
            group.processors = cores_of(site, root, root[q]);
            site.pools.push_back(group);
        }
        site.queues[q].pools = {pool};
    }
    return site;
}

} // namespace slotwise
