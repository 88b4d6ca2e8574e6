#include "planner/slurm/nodes/slurm_room_times.hpp"

namespace slotwise {

void SlurmRoomTimes::set(std::int32_t node, EndKey time) {
    times_[static_cast<std::size_t>(node)] = time;
    time == kFreeNow ? now_.add(node) : now_.remove(node);
    time == kNeverFree ? ever_.remove(node) : ever_.add(node);
}

void SlurmRoomTimes::follow(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                            const SlurmRequest& request) {
    const std::size_t n_changes = occupancy.n_changes();
    const std::int32_t n_nodes = cluster.n_nodes();
    if (times_.empty() || n_changes - seen_ > times_.size()) {
        times_.resize(static_cast<std::size_t>(n_nodes));
        if (now_.size() == 0) now_ = ever_ = NodeBits(n_nodes);
        for (std::int32_t node = 0; node < n_nodes; ++node)
            set(node, occupancy.free_for_one(request, node));
        seen_ = n_changes;
        return;
    }
    for (; seen_ < n_changes; ++seen_) {
        const std::int32_t node = occupancy.change(seen_);
        set(node, occupancy.free_for_one(request, node));
    }
}

} // namespace slotwise
