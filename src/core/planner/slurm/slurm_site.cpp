#include "planner/slurm/slurm_site.hpp"

#include "admission/routing.hpp"

#include <map>
#include <utility>

namespace slotwise {

namespace {

// Represents identical processors as nodes with one processor each.
std::shared_ptr<const Nodes> nodes_of_processors(ProcCount processors) {
    Nodes nodes{{"cores"}, {}};
    Amounts one;
    one.set(0, 1);
    nodes.classes.push_back({"processor", processors, one});
    return std::make_shared<const Nodes>(std::move(nodes));
}

JobDemands demands_of_processors(std::shared_ptr<const Nodes> nodes, const ReplayJobs& jobs) {
    std::vector<UnitDemand> demands(jobs.size());
    for (JobId job = 0; job < jobs.size(); ++job) {
        demands[job].units = jobs.processors[job];
        demands[job].each.set(0, 1);
    }
    return make_node_jobs(std::move(nodes), PlacementRule::first_fit, demands);
}

} // namespace

SlurmPartition partition_of_queue(const Queue& queue, std::int32_t n_nodes, bool linear) {
    SlurmPartition partition;
    partition.nodes = NodeBits(n_nodes, queue.nodes);
    for (std::int32_t node = 0; queue.nodes.empty() && node < n_nodes; ++node)
        partition.nodes.add(node);
    partition.max_time = queue.max_requested_time;
    partition.max_nodes =
        queue.max_nodes == kNever ? 0 : static_cast<std::int32_t>(queue.max_nodes);
    partition.tier = queue.tier;
    partition.whole_nodes = linear || queue.exclusive;
    return partition;
}

SlurmSite::SlurmSite(const Site& site, const Routing* routing, const ReplayJobs& jobs,
                     const SlurmRules& rules)
    : cluster(site.has_nodes() ? site.demands->nodes : nodes_of_processors(site.processors),
              site.node_weights),
      partition_of(jobs.size(), 0) {
    cluster.linear = rules.linear;
    add_partitions(site, rules);
    if (routing != nullptr)
        for (JobId job = 0; job < jobs.size(); ++job)
            if (routing->queue_of[job] != kNoQueue) partition_of[job] = routing->queue_of[job];
    if (site.has_nodes())
        add_requests(*site.demands, jobs.size());
    else
        add_requests(demands_of_processors(cluster.nodes, jobs), jobs.size());
}

void SlurmSite::add_partitions(const Site& site, const SlurmRules& rules) {
    for (const Queue& queue : site.queues)
        cluster.partitions.push_back(partition_of_queue(queue, cluster.n_nodes(), rules.linear));
    if (cluster.partitions.empty())
        cluster.partitions.push_back(partition_of_queue({}, cluster.n_nodes(), rules.linear));
}

void SlurmSite::add_requests(const JobDemands& demands, std::size_t n_jobs) {
    for (const std::vector<std::int32_t>& nodes : demands.constraints)
        cluster.constraints.emplace_back(cluster.n_nodes(), nodes);
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> known;
    request_of.resize(n_jobs);
    for (JobId job = 0; job < n_jobs; ++job) {
        const bool whole = cluster.partitions[partition_of[job]].whole_nodes;
        const auto number = static_cast<std::uint32_t>(requests.size());
        const auto [at, is_new] = known.try_emplace({demands.kind_of[job], whole}, number);
        if (is_new) requests.emplace_back(demands.demand(job), Amounts{}, whole, *cluster.nodes);
        request_of[job] = at->second;
    }
}

Exceeded SlurmSite::exceeded(JobId job, Time limit) const {
    return exceeded_limit(cluster.partitions[partition_of[job]], requests[request_of[job]], limit);
}

} // namespace slotwise
