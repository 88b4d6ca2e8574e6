// Records, from pass to pass, the shapes whose jobs cannot start until resources are freed on their
// nodes.
//
// Example: no node has room for a job on 4 GPUs. Jobs of the same shape that are at least as long
// are then refused after one comparison, until something is freed on a node of their classes. When
// 2 GPUs are freed on a node that has no other free GPUs, the job is still refused, because it
// needs 4.
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
    // `pool_of_class` must have one element per node class.
    NodeRefusals(const JobShapes& shapes, std::span<const PoolId> pool_of_class,
                 std::size_t n_pools);

    // Returns true if the shape is known not to fit for `length`. A refusal ends when something
    // that might help is freed on a node of the shape's classes. It also ends when the shape's pool
    // drops a reservation that existed at the time of the refusal.
    bool is_refused(std::uint32_t number, const JobShape& shape, Time length,
                    const NodeState& state, const HeldNodes& held);

    // Returns the smallest length for which is_refused() is true, or kNever if there is none.
    Time refused_from(std::uint32_t number, const JobShape& shape, const NodeState& state,
                      const HeldNodes& held);

    // Returns the stored result of refused_from() for each shape. follow() drops a result once
    // something is freed on a node of the shape's classes, or the reservations of its pool change.
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
        std::int64_t units; // upper bound on the units that fit; kUnknown if not counted
        HeldNodes::Mark under;
        bool depends_on_kept; // true if the refusal ends once the reservations change
    };
    static constexpr std::int64_t kUnknown = NodeSearch::kUncounted;

    // Records that the shape does not fit, however its units are placed.
    void refuse(std::uint32_t number, const JobShape& shape, const Refusal& refusal,
                const NodeState& state);

    // Returns false, and refuses the shape, if fewer nodes are idle now than it needs. The shape
    // must be one of whole nodes.
    bool has_idle_now(std::uint32_t number, const JobShape& shape, const NodeState& state);

    // Returns false, and refuses the shape, if its units do not fit into what is free now, even if
    // the plan is ignored.
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

    // A set of classes, stored as bits. Several classes may share a bit.
    using Classes = std::uint64_t;
    static Classes bit_of(std::size_t node_class) { return Classes{1} << node_class % 64; }

    void forget_known(Classes classes);

    std::vector<Record> records_;      // indexed by shape
    std::vector<Time> known_from_;     // refused_from() of each shape; kNever if unknown
    std::vector<std::uint32_t> known_; // shapes with a known value in known_from_
    // For each pool, the reservations that it had when the known lengths were stored.
    std::vector<HeldNodes::Mark> noted_under_;
    std::vector<Classes> classes_of_;      // indexed by shape
    std::vector<Classes> classes_of_pool_; // indexed by pool
    std::vector<std::uint64_t> eased_;     // number of releases in each class at the last follow()
    std::uint64_t eased_in_all_ = 0;       // number of all releases at the last follow()
    // For each shape, a node that had room; -1 if not known.
    std::vector<std::int32_t> last_with_room_;
};

} // namespace slotwise
