#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

SlurmOccupancy::SlurmOccupancy(const SlurmCluster& cluster)
    : cluster_(&cluster), tenants_(index(cluster.n_nodes())), changes_(index(cluster.n_nodes())) {
    for (std::int32_t node = 0; node < cluster.n_nodes(); ++node)
        free_.push_back(cluster.capacity(node));
}

std::int32_t SlurmOccupancy::room_at(const SlurmRequest& request, std::int32_t node,
                                     EndKey until) const {
    const std::vector<Tenant>& tenants = tenants_[index(node)];
    if (request.whole) {
        const bool idle = tenants.empty() || tenants.back().key <= until;
        return idle ? room(request, cluster_->capacity(node)) : 0;
    }
    if (tenants.empty() || tenants.front().key > until) return room(request, free_[index(node)]);
    return room(request, free_at(node, until));
}

Amounts SlurmOccupancy::free_at(std::int32_t node, EndKey until) const {
    Amounts free = free_[index(node)];
    for (const Tenant& tenant : tenants_[index(node)]) {
        if (tenant.key > until) break;
        free.add(1, tenant.share);
    }
    return free;
}

EndKey SlurmOccupancy::free_for_one(const SlurmRequest& request, std::int32_t node) const {
    const std::vector<Tenant>& tenants = tenants_[index(node)];
    if (!cluster_->satisfies(node, request)) return kNeverFree;
    if (request.whole) {
        if (room(request, cluster_->capacity(node)) == 0) return kNeverFree;
        return tenants.empty() ? kFreeNow : tenants.back().key;
    }
    if (room(request, free_[index(node)]) > 0) return kFreeNow;
    Amounts free = free_[index(node)];
    for (const Tenant& tenant : tenants) {
        free.add(1, tenant.share);
        if (room(request, free) > 0) return tenant.key;
    }
    return kNeverFree;
}

Amounts SlurmOccupancy::share(const SlurmRequest& request, std::int32_t node,
                              std::int32_t units) const {
    if (request.whole) return cluster_->capacity(node);
    Amounts share = request.per_node;
    share.add(units, request.each);
    return share;
}

void SlurmOccupancy::start(JobId job, Time end, std::span<const std::int32_t> nodes,
                           std::span<const Amounts> shares) {
    const EndKey key = end_key(end, job);
    const auto before = [](const auto& held, EndKey k) { return held.key < k; };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<Tenant>& tenants = tenants_[index(nodes[i])];
        tenants.insert(std::lower_bound(tenants.begin(), tenants.end(), key, before),
                       {key, shares[i]});
        free_[index(nodes[i])].add(-1, shares[i]);
        note_change(nodes[i]);
    }
    const auto at = std::lower_bound(running_.begin(), running_.end(), key, before);
    Running running{key, job, {nodes.begin(), nodes.end()}, {}, 0};
    for (const std::int32_t node : nodes) {
        const auto word = static_cast<std::uint32_t>(node) >> 6;
        if (running.parts.empty() || running.parts.back().word != word) {
            running.parts.push_back({word, 0});
            running.words |= std::uint64_t{1} << (word & 63);
        }
        running.parts.back().nodes |= std::uint64_t{1} << (node & 63);
    }
    running_.insert(at, std::move(running));
    if (key_of_.size() <= job) key_of_.resize(std::size_t{job} + 1, kNeverFree);
    key_of_[job] = key;
}

std::vector<SlurmOccupancy::Running>::iterator SlurmOccupancy::find(JobId job) {
    const auto before = [](const auto& held, EndKey k) { return held.key < k; };
    auto at = std::lower_bound(running_.begin(), running_.end(), key_of_[job], before);
    while (at->job != job)
        ++at;
    return at;
}

std::vector<std::int32_t> SlurmOccupancy::end(JobId job) {
    const auto at = find(job);
    for (const std::int32_t node : at->nodes) {
        std::vector<Tenant>& tenants = tenants_[index(node)];
        const auto own = std::find_if(tenants.begin(), tenants.end(),
                                      [&](const Tenant& t) { return t.key == at->key; });
        free_[index(node)].add(1, own->share);
        tenants.erase(own);
        note_change(node);
    }
    std::vector<std::int32_t> nodes = std::move(at->nodes);
    running_.erase(at);
    return nodes;
}

} // namespace slotwise
