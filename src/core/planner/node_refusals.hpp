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
#include <vector>

namespace slotwise {

class NodeRefusals {
  public:
    explicit NodeRefusals(std::size_t n_shapes)
        : records_(n_shapes), known_from_(n_shapes, kNever), first_with_room_(n_shapes, 0) {}

    // True if the shape still has no room for `length`. Nothing that might give it room has been
    // freed on its classes since it was refused, and the reservations that its pool had then still
    // exist.
    bool is_refused(std::uint32_t number, const JobShape& shape, Time length,
                    const NodeState& state, const HeldNodes& held);

    // By shape: is_refused() has returned true for this length, and since then nothing was freed
    // and no reservation was made or dropped. Valid after follow().
    const std::vector<Time>& known_from() const { return known_from_; }
    void note_known(std::uint32_t number) {
        if (known_from_[number] == kNever) known_.push_back(number);
        known_from_[number] = records_[number].length;
    }
    void note_reservations() { forget_known(); }

    // Forgets known lengths if something has been freed since.
    void follow(const NodeState& state) {
        if (known_at_ == state.changes().eased()) return;
        known_at_ = state.changes().eased();
        forget_known();
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

    void forget_known() {
        for (const std::uint32_t number : known_)
            known_from_[number] = kNever;
        known_.clear();
    }

    std::vector<Record> records_;                // by shape
    std::vector<Time> known_from_;               // by shape; kNever: not known
    std::vector<std::uint32_t> known_;           // shapes with a known length
    std::uint64_t known_at_ = 0;                 // releases of all classes counted by follow()
    std::vector<std::uint32_t> first_with_room_; // by shape: of its nodes, the one found last
};

} // namespace slotwise
