// The time from which each node has room for a unit of one request, kept as jobs start and end.
#pragma once

#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmRoomTimes {
  public:
    // Brings the times up to date with `occupancy`.
    void follow(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                const SlurmRequest& request);

    EndKey of(std::int32_t node) const { return times_[static_cast<std::size_t>(node)]; }
    const NodeBits& now() const { return now_; }   // nodes with room now
    const NodeBits& ever() const { return ever_; } // nodes with room once idle

  private:
    void set(std::int32_t node, EndKey time);

    std::vector<EndKey> times_; // by node
    NodeBits now_;
    NodeBits ever_;
    std::size_t seen_ = 0; // changes of the occupancy
};

} // namespace slotwise
