#include "planner/slurm/nodes/slurm_room_times.hpp"

#include <algorithm>

namespace slotwise {

void SlurmRoomTimes::set(std::int32_t node, EndKey time) {
    times_[static_cast<std::size_t>(node)] = time;
    time == kFreeNow ? now_.add(node) : now_.remove(node);
}

// Moves a node to its new position in the order, after its time has changed from `before` to
// `time`.
void SlurmRoomTimes::move(std::int32_t node, EndKey before, EndKey time) {
    if (before == time) return;
    are_blocks_known_ = false;
    n_now_ += time == kFreeNow ? 1 : 0;
    n_now_ -= before == kFreeNow ? 1 : 0;
    const auto place = [&](EndKey t) {
        return std::lower_bound(order_.begin(), order_.end(), NodeTime{t, node});
    };
    if (before == kNeverFree) {
        order_.insert(place(time), NodeTime{time, node});
        return;
    }
    const auto from = place(before);
    if (time == kNeverFree) {
        order_.erase(from);
        return;
    }
    const auto to = place(time);
    if (to > from) {
        std::rotate(from, from + 1, to);
        *(to - 1) = {time, node};
    } else {
        std::rotate(to, from, from + 1);
        *to = {time, node};
    }
}

std::size_t SlurmRoomTimes::n_by(EndKey until) const {
    const auto behind =
        std::upper_bound(order_.begin(), order_.end(), until,
                         [](EndKey key, const NodeTime& room) { return key < room.first; });
    return static_cast<std::size_t>(behind - order_.begin());
}

void SlurmRoomTimes::set_blocks() {
    are_blocks_known_ = true;
    blocks_.resize(order_.size() / kBlock + 1);
    NodeBits first = now_;
    first.clear();
    for (std::size_t at = 0; at < order_.size(); ++at) {
        if (at % kBlock == 0) blocks_[at / kBlock] = first;
        first.add(order_[at].second);
    }
    if (order_.size() % kBlock == 0) blocks_.back() = first;
}

void SlurmRoomTimes::follow(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                            const SlurmRequest& request) {
    const std::size_t n_changes = occupancy.n_changes();
    const std::int32_t n_nodes = cluster.n_nodes();
    if (times_.empty() || n_changes - seen_ > times_.size()) {
        times_.resize(static_cast<std::size_t>(n_nodes));
        if (now_.size() == 0) now_ = NodeBits(n_nodes);
        for (std::int32_t node = 0; node < n_nodes; ++node)
            set(node, occupancy.free_for_one(request, node));
        order_.clear();
        for (std::int32_t node = 0; node < n_nodes; ++node)
            if (of(node) != kNeverFree) order_.emplace_back(of(node), node);
        std::sort(order_.begin(), order_.end());
        n_now_ = static_cast<std::size_t>(now_.count());
        seen_ = n_changes;
        are_blocks_known_ = false;
        return;
    }
    for (; seen_ < n_changes; ++seen_) {
        const std::int32_t node = occupancy.change(seen_);
        const EndKey time = occupancy.free_for_one(request, node);
        move(node, of(node), time);
        set(node, time);
    }
}

} // namespace slotwise
