// The time from which each node has room for a unit of one request, as jobs start and end.
#pragma once

#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

class SlurmRoomTimes {
  public:
    // Brings the times up to date with `occupancy`.
    void follow(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                const SlurmRequest& request);

    EndKey of(std::int32_t node) const { return times_[static_cast<std::size_t>(node)]; }
    // Visits nodes in order of their times, up to `until`, as long as `visit(node)` is true.
    template <class Visitor> void for_each_until(EndKey until, Visitor&& visit) const {
        for (const auto& [time, node] : order_)
            if (time > until || !visit(node)) return;
    }

    const NodeBits& now() const { return now_; } // nodes with room now

  private:
    using Room = std::pair<EndKey, std::int32_t>; // time, node

    void set(std::int32_t node, EndKey time);
    void move(std::int32_t node, EndKey before, EndKey time);

    std::vector<EndKey> times_; // by node
    std::vector<Room> order_;   // by time and node, without nodes that never have room
    NodeBits now_;
    std::size_t seen_ = 0; // changes of the occupancy
};

} // namespace slotwise
