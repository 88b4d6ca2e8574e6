#include "planner/slurm/slurm_main.hpp"

namespace slotwise {

void slurm_main_pass(const SlurmCluster& cluster, const SlurmRules& rules,
                     std::span<const SlurmJob> queue, std::int64_t depth, Time now,
                     const NodeBits& completing, SlurmSearch& search, const SlurmAnswers& answers) {
    std::vector<std::uint8_t> is_closed(cluster.partitions.size(), 0);
    std::vector<std::int64_t> looked_at(cluster.partitions.size(), 0);
    NodeBits closed(cluster.n_nodes());
    NodeBits allowed(cluster.n_nodes());
    std::size_t n_closed = 0;
    const auto close = [&](std::uint32_t partition) {
        is_closed[partition] = 1;
        closed.add(cluster.partitions[partition].nodes);
        ++n_closed;
    };
    std::int64_t n = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const SlurmJob& job = queue[at];
        if (rules.partition_job_depth > 0 && ++looked_at[job.partition] > rules.partition_job_depth)
            continue;
        if (n++ > depth) return; // one job more than `depth` is considered
        if (is_closed[job.partition] != 0) continue;
        const NodeBits& nodes = cluster.partitions[job.partition].nodes;
        if (answers.is_held_back(job)) {
            if (!rules.assoc_limit_stop) continue;
            close(job.partition);
            if (n_closed == cluster.partitions.size()) return;
            continue;
        }
        allowed = nodes;
        allowed.remove(closed);
        const bool has_enough = allowed.has_at_least(search.request(job.request).min_nodes);
        allowed.remove(completing);
        if (search.starts(job.request, allowed, nodes)) {
            answers.start({at, search.chosen().nodes, search.chosen().units});
            continue;
        }
        if (has_enough && rules.reserves_nothing(job, now)) continue;
        close(job.partition);
        if (n_closed == cluster.partitions.size()) return;
    }
}

} // namespace slotwise
