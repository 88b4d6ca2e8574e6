// Remembers the promise that was last removed from the plan of a machine with nodes. Removing it
// counts as freeing its resources. This is undone if the promise is put back before anything else
// changes, or if the job starts on exactly the nodes it was promised (except if the promise counts
// cores).
#pragma once

#include "availability/node_state.hpp"
#include "planner/held_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class LiftedPromise {
  public:
    void note_before(const HeldNodes::Held& held, NodeState& state) {
        held_ = held;
        before_ = state.counts().states();
        n_freed_ = state.counts().freed().count();
    }
    void note_after(NodeState& state) {
        after_ = state.counts().states();
        n_freed_after_ = state.counts().freed().count();
        n_eased_ = state.changes().eased();
    }

    // Returns true if nothing has changed since the promise was removed.
    bool is_alone(const HeldNodes::Held& held, NodeState& state) const {
        return held_.job == held.job && after_ == state.counts().states() &&
               n_eased_ == state.changes().eased();
    }

    void note_put_back(NodeState& state) {
        state.counts().note_undone(before_);
        state.counts().freed().undo(n_freed_);
        held_.job = kNoJob;
    }

    void note_start(JobId job, std::span<const Place> places, Time planned_end, NodeState& state) {
        if (held_.job != job || planned_end < held_.to || held_.from > state.now() ||
            state.counts().freed().count() != n_freed_after_)
            return;
        NodeHold taken;
        if (held_.hold.places.empty())
            taken.numbers = count_by_class(places, state.layout());
        else
            taken.places.assign(places.begin(), places.end());
        std::sort(held_.hold.numbers.begin(), held_.hold.numbers.end());
        if (state.shapes().of(job).keeping != Keeping::cores && taken == held_.hold)
            state.counts().freed().undo(n_freed_);
    }

  private:
    // Returns the number of units on `places` in each node class, in ascending order of the
    // classes.
    static std::vector<std::pair<std::size_t, std::int32_t>>
    count_by_class(std::span<const Place> places, const NodeLayout& layout) {
        std::vector<std::pair<std::size_t, std::int32_t>> numbers;
        for (const Place place : places) {
            const std::size_t c = layout.class_of[static_cast<std::size_t>(place.node)];
            if (numbers.empty() || numbers.back().first != c) numbers.emplace_back(c, 0);
            numbers.back().second += place.units;
        }
        return numbers;
    }

    HeldNodes::Held held_;
    std::vector<std::uint64_t> before_; // states of the node classes before the removal
    std::vector<std::uint64_t> after_;
    std::uint64_t n_freed_ = 0;
    std::uint64_t n_freed_after_ = 0;
    std::uint64_t n_eased_ = 0;
};

} // namespace slotwise
