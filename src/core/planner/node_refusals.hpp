// Demands that cannot start until something ends on their nodes, from pass to pass.
//
// Example: a job on 4 GPUs has room on no node. Until a node of its classes is given something
// back, every job of its shape that is as long or longer is refused at the cost of one comparison.
// When 2 GPUs are given back on some node, the job is refused still, as that node has no room.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "planner/held_nodes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class NodeRefusals {
  public:
    explicit NodeRefusals(std::size_t n_shapes) : records_(n_shapes), rooms_(n_shapes) {}

    // True if the shape still has no room for `length`: nothing that might give it room has eased
    // on its classes since it was refused, and the reservations of its pool at that time stand.
    bool is_refused(std::uint32_t number, const JobShape& shape, Time length,
                    const NodeState& state, const HeldNodes& held) {
        Record& record = records_[number];
        if (record.length > length || !held.stands(record.under)) return false;
        if (record.eased_in_all == state.changes().eased()) return true;
        return is_refused_still(record, shape, state);
    }

    // Records that the shape has no room, however its units are placed: single nodes have room for
    // `units`, or fewer; kUnknown: not counted.
    void refuse(std::uint32_t number, const JobShape& shape, Time length, std::int64_t units,
                const NodeState& state, HeldNodes::Mark under);
    static constexpr std::int64_t kUnknown = -1;

    // False, and the shape is refused, if its units have no room on what is free now, whatever is
    // planned.
    bool has_room_now(std::uint32_t number, const JobShape& shape, const NodeState& state);

  private:
    struct Record {
        Time length = kNever;
        std::uint64_t eased_in_all = 0;
        std::uint64_t eased = 0;
        std::uint64_t eased_otherwise = 0;
        std::uint64_t n_freed = 0;
        std::int64_t units = kUnknown;
        HeldNodes::Mark under;
    };
    struct Room { // units that fit now
        std::int64_t units = kUnknown;
        std::uint64_t n_changed = 0;
    };

    static bool is_refused_still(Record& record, const JobShape& shape, const NodeState& state);

    std::vector<Record> records_; // by shape
    std::vector<Room> rooms_;     // by shape
};

} // namespace slotwise
