#include "planner/slurm/slurm_watch.hpp"

#include <algorithm>

namespace slotwise {

void SlurmWatch::follow(const SlurmCluster& cluster, const SlurmBackfill& backfill,
                        std::span<const SlurmJob> queue, Time now, SlurmSearch& search) {
    const auto at = std::find_if(queue.begin(), queue.end(),
                                 [&](const SlurmJob& each) { return each.job == watched_; });
    if (at == queue.end()) return;
    const std::vector<std::int32_t> weights = search.gpu_weights().values();
    const auto position = static_cast<std::size_t>(at - queue.begin());
    const SlurmNote note = reason(cluster, backfill, queue, position, now, search);
    search.set_gpu_weights(weights);
    if (notes_.empty() || notes_.back().why != note.why || notes_.back().job != note.job)
        notes_.push_back(note);
}

SlurmNote SlurmWatch::reason(const SlurmCluster& cluster, const SlurmBackfill& backfill,
                             std::span<const SlurmJob> queue, std::size_t at, Time now,
                             SlurmSearch& search) const {
    using Why = SlurmNote::Why;
    if (!backfill.came_to(at)) return {now, Why::untested, kNoJob};
    const SlurmJob& job = queue[at];
    const NodeBits& nodes = cluster.partitions[job.partition].nodes;
    if (search.earliest(job.request, nodes, now) > now) return {now, Why::nodes, kNoJob};
    // If an earlier job's plan holds nodes that this job would get, the job waits because of that
    // plan. Otherwise, it waits because of an earlier job's plan on any nodes of the partition.
    const NodeBits wanted(cluster.n_nodes(), search.chosen().nodes);
    for (const NodeBits* held : {&wanted, &nodes})
        for (const SlurmBackfill::Plan& plan : backfill.plans()) {
            const auto is_held = [&](std::int32_t node) { return held->has(node); };
            if (plan.position < at && backfill.cut(plan.begin) <= now + job.limit &&
                std::any_of(plan.nodes.begin(), plan.nodes.end(), is_held))
                return {now, Why::plan, queue[plan.position].job};
        }
    return {now, Why::nodes, kNoJob}; // some nodes are still completing
}

} // namespace slotwise
