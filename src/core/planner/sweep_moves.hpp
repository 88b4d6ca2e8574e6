// Determines whether a sweep over the queue must be repeated. This may be necessary because
// starting a job can change which nodes the jobs before it would get.
//
// Example: two of four 4-core nodes are kept for another user. With first fit, a six-core job would
// take the last core of node 0 and five cores of nodes 1 and 2. It cannot start, because only node
// 3 would be left for that user. A later job takes the last core of node 0. When the sweep is
// repeated, the first job gets only nodes 1 and 2, and fits.
#pragma once

#include "availability/node_search.hpp"
#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace slotwise {

class SweepMoves {
  public:
    using MovedBy = HoldRules::MovedBy;

    explicit SweepMoves(std::size_t n_classes) : moved_by_(n_classes, MovedBy::nothing) {}

    // Begins a sweep.
    void begin() {
        std::fill(moved_by_.begin(), moved_by_.end(), MovedBy::nothing);
        any_ = false;
    }

    // Returns true if a job that has started since begin() may have helped a job tried before it:
    // the earlier job may now find places, or its reservation may move.
    bool any() const { return any_; }

    // Records that nodes or cores are reserved for a job of this shape.
    void note_reservation(const NodeState& state, const JobShape& shape) {
        note(shape, HoldRules(state, shape).moved_by());
    }

    // Records that a job of this shape may get other places once another job has started on nodes
    // of a class that the shape can use.
    void note_misplaced(const JobShape& shape) { note(shape, MovedBy::starts); }

    // Records that a job recorded by note_misplaced() may get other places at `time`, simply
    // because time has passed.
    void note_replaced(Time time) { replaced_at_ = std::min(replaced_at_, time); }
    // Returns the earliest time recorded by note_replaced() since forget_replaced(), or kNever. The
    // job for which it was recorded may have started in the meantime.
    //
    // Example: a job of 10 s would now get nodes 0 and 1, but only one node is allowed. Node 0 is
    // unavailable from 15 onwards. The job would end too late on node 0 if it started at 6 or
    // later, so the result is 6.
    Time next_replaced() const { return replaced_at_; }
    // Forgets the times recorded by note_replaced(). They are not needed if the current pass tries
    // all waiting jobs.
    void forget_replaced() { replaced_at_ = kNever; }

    // Records that a job is about to start on these places.
    void note_start(const NodeState& state, std::span<const Place> places) {
        any_ |= std::any_of(places.begin(), places.end(), [&](const Place place) {
            const std::size_t c = state.layout().class_of[static_cast<std::size_t>(place.node)];
            return moved_by_[c] == MovedBy::starts ||
                   (moved_by_[c] == MovedBy::starts_on_idle_nodes && !state.has_job(place.node));
        });
    }

  private:
    void note(const JobShape& shape, MovedBy starts) {
        for (const std::size_t c : shape.classes)
            moved_by_[c] = std::max(moved_by_[c], starts);
    }

    Time replaced_at_ = kNever;     // next_replaced()
    std::vector<MovedBy> moved_by_; // indexed by class
    bool any_ = false;
};

} // namespace slotwise
