// Demands that cannot start until something ends on their nodes, from pass to pass.
//
// Example: a job on 4 GPUs has room on no node. Until a node of its classes is given something
// back, every job of its shape that is as long or longer is refused at the cost of one comparison.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "planner/held_nodes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeRefusals {
  public:
    explicit NodeRefusals(std::size_t n_shapes) : records_(n_shapes), rooms_(n_shapes) {}

    // True if the shape still has no room for `length`: nothing has eased on its classes since it
    // was refused, and the reservations of its pool at that time stand.
    bool is_refused(std::uint32_t shape, std::span<const std::size_t> classes, Time length,
                    const NodeState& state, const HeldNodes& held) {
        Record& record = records_[shape];
        if (record.length > length || !held.stands(record.under)) return false;
        if (record.eased_in_all == state.eased()) return true;
        if (record.eased != state.eased(classes)) return false;
        record.eased_in_all = state.eased();
        return true;
    }

    // Records that the shape has no room, however its units are placed.
    void refuse(std::uint32_t shape, std::span<const std::size_t> classes, Time length,
                const NodeState& state, const HeldNodes& held) {
        records_[shape] = {length, state.eased(), state.eased(classes), held.present()};
    }

    // False if the units of the shape have no room on what is free now, whatever is planned.
    bool has_room_now(std::uint32_t number, const JobShape& shape, const NodeState& state);

  private:
    struct Record {
        Time length = kNever;
        std::uint64_t eased_in_all = 0;
        std::uint64_t eased = 0;
        HeldNodes::Mark under;
    };
    struct Room { // units that fit now: a bound from above
        std::int64_t units = 0;
        std::uint64_t n_freed = kUnknown;
        std::uint64_t n_changed = 0;
    };
    static constexpr std::uint64_t kUnknown = UINT64_MAX;

    std::vector<Record> records_; // by shape
    std::vector<Room> rooms_;     // by shape
};

} // namespace slotwise
