// For each node, the time from which it has room for a unit of one particular request. The times
// are updated as jobs start and end.
#pragma once

#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class SlurmRoomTimes {
  public:
    using NodeTime = std::pair<EndKey, std::int32_t>; // a time and a node

    // Updates the times to the current state of `occupancy`.
    void follow(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                const SlurmRequest& request);

    EndKey of(std::int32_t node) const { return times_[static_cast<std::size_t>(node)]; }
    // Returns the nodes in the order in which they get room, excluding those that never have room.
    // The first n_now() nodes have room now.
    std::span<const NodeTime> in_order() const { return order_; }
    std::size_t n_now() const { return n_now_; }

    const NodeBits& now() const { return now_; } // returns the nodes with room now

    // Returns the number of nodes that have room by `until`.
    std::size_t n_by(EndKey until) const;

    // in_order() is divided into blocks of kBlock nodes. first_blocks() returns the nodes in the
    // first `block` of these blocks.
    static constexpr std::size_t kBlock = 32;
    const NodeBits& first_blocks(std::size_t block) {
        if (!are_blocks_known_) set_blocks();
        return blocks_[block];
    }

  private:
    void set_blocks();
    void set(std::int32_t node, EndKey time);
    void move(std::int32_t node, EndKey before, EndKey time);

    std::vector<EndKey> times_;   // indexed by node
    std::vector<NodeTime> order_; // sorted by time and node, excluding nodes that never have room
    NodeBits now_;
    std::size_t n_now_ = 0;
    std::size_t seen_ = 0; // number of occupancy changes already applied
    std::vector<NodeBits> blocks_;
    bool are_blocks_known_ = false; // blocks_ matches the current order
};

} // namespace slotwise
