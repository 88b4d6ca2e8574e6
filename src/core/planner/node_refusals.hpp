// Demands that cannot start until something ends on their nodes; remembered from pass to pass.
//
// Example: no node has room for a job on 4 GPUs. Until something is freed on a node of its classes,
// every job of its shape that is as long or longer is refused at the cost of one comparison. When 2
// GPUs are freed on some node, the job is still refused, because that node has no room.
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
    // `pool_of_class` has one entry per node class.
    NodeRefusals(const JobShapes& shapes, std::span<const PoolId> pool_of_class,
                 std::size_t n_pools);

    // True if the shape still has no room for `length`. Nothing that might give it room has been
    // freed on its classes since it was refused, and the reservations that its pool had then still
    // exist.
    bool is_refused(std::uint32_t number, const JobShape& shape, Time length,
                    const NodeState& state, const HeldNodes& held);

    // The least length for which is_refused() is true; kNever if there is none.
    Time refused_from(std::uint32_t number, const JobShape& shape, const NodeState& state,
                      const HeldNodes& held);

    // By shape: refused_from() as noted, if nothing has been freed on its classes since, and its
    // pool has the same reservations. follow() forgets the others.
    const std::vector<Time>& known_from() const { return known_from_; }
    void note_known(std::uint32_t number) {
        if (known_from_[number] == kNever) known_.push_back(number);
        known_from_[number] = records_[number].length;
    }
    void follow(const NodeState& state);
    void follow(PoolId pool, const HeldNodes::Mark& present) {
        if (noted_under_[pool] == present) return;
        noted_under_[pool] = present;
        forget_known(classes_of_pool_[pool]);
    }
    bool is_noted_under(PoolId pool, const HeldNodes::Mark& present) const {
        return noted_under_[pool] == present;
    }

    struct Refusal {
        Time length;
        std::int64_t
            units; // units for which single nodes have room, or more; kUnknown: not counted
        HeldNodes::Mark under;
        bool depends_on_kept; // valid only while exactly these reservations exist
    };
    static constexpr std::int64_t kUnknown = NodeSearch::kUncounted;

    // Records that the shape has no room, however its units are placed.
    void refuse(std::uint32_t number, const JobShape& shape, const Refusal& refusal,
                const NodeState& state);

    // Returns false, and refuses the shape, if fewer nodes are idle now than it needs as whole
    // nodes.
    bool has_idle_now(std::uint32_t number, const JobShape& shape, const NodeState& state);

    // Returns false, and refuses the shape, if its units do not fit into what is free now, whatever
    // is planned.
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
        bool depends_on_kept = false;
    };

    static bool is_refused_still(Record& record, const JobShape& shape, const NodeState& state);
    static bool add_freed(Record& record, const JobShape& shape, const NodeState& state);

    // Sets of classes; classes may share a bit.
    using Classes = std::uint64_t;
    static Classes bit_of(std::size_t node_class) { return Classes{1} << node_class % 64; }

    void forget_known(Classes classes);

    std::vector<Record> records_;              // by shape
    std::vector<Time> known_from_;             // by shape; kNever: not known
    std::vector<std::uint32_t> known_;         // shapes with a known length
    std::vector<HeldNodes::Mark> noted_under_; // by pool: reservations for the known lengths
    std::vector<Classes> classes_of_;          // by shape
    std::vector<Classes> classes_of_pool_;     // by pool
    std::vector<std::uint64_t> eased_;         // by class: releases counted by follow()
    std::uint64_t eased_in_all_ = 0;           // releases of all classes counted by follow()
    std::vector<std::int32_t> last_with_room_; // by shape: a node; -1: not known
};

} // namespace slotwise
