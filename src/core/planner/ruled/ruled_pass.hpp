// The pass of RuledPlanner. It is in a header so that engine/ruled_loop.cpp can compile it into its
// event loop.
#pragma once

#include "planner/ruled/ruled_planner.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

inline void RuledPlanner::end(JobId job) {
    machine_.give_back(job);
    is_settled_ = false;
    waiting_.note_change(job, -processors(job));
    gates_.note_ended(job, waiting_.classes());
}

inline void RuledPlanner::follow(bool any_arrived) {
    if (machine_.follow(patience_)) is_settled_ = false;
    patience_.note_instant(now_, was_running_ || any_arrived);
    if (gates_.follow_hours(now_, waiting_.classes())) is_settled_ = false;
}

inline void RuledPlanner::plan(std::span<const JobId> arrived) {
    for (const JobId job : arrived)
        gates_.note_waiting(job);
    is_settled_ = is_settled_ && waiting_.keeps_first(now_);
    if (arrived.size() == 1) {
        if (settle_arrival(arrived[0])) return;
    } else {
        for (const JobId job : arrived)
            enqueue(job);
        is_settled_ = is_settled_ && arrived.empty();
    }
    RequestClasses& classes = waiting_.classes();
    if (classes.empty()) return;
    if (!is_settled_) settle();
    if (gates_.lifts() && !classes.empty() && !classes.any_open()) start_when_lifted();
}

// Handles the arrival of a single job. Returns true if it is certain that no further job can start
// now. As long as the head stays the same, its reservation decides whether a job that ranks after
// the head may start.
inline bool RuledPlanner::settle_arrival(JobId job) {
    const bool may_start = is_eligible(job);
    const bool is_alone = !waiting_.classes().any_open();
    const bool is_behind = is_settled_ && waiting_.first_precedes(machine_.head(), job);
    if (!may_start || (!is_alone && !is_behind)) {
        const bool was_settled = is_settled_ && (is_behind || !may_start);
        enqueue(job);
        is_settled_ = was_settled;
        return was_settled;
    }
    if (is_alone) {
        if (!machine_.has_room(processors(job), length(job))) {
            enqueue(job);
            return false;
        }
        machine_.drop_reservation();
        start(job, false);
        return !gates_.lifts();
    }
    bool passes = machine_.may_pass(processors(job), length(job));
    if (passes && machine_.is_loose()) {
        machine_.reserve();
        passes = machine_.may_pass(processors(job), length(job));
    }
    if (!passes) {
        enqueue(job);
        return true;
    }
    start(job, true);
    is_settled_ = is_eligible(machine_.head());
    return is_settled_;
}

inline void RuledPlanner::enqueue(JobId job) {
    waiting_.put(
        job, [&](JobId last, JobId next) { return gates_.have_same_rules(last, next); },
        [&](JobId front) { return gates_.owner_of(front); });
}

// Starts jobs until no waiting job can start. If a job starts and the head's owner thereby reaches
// a limit, the next eligible job becomes the head.
inline void RuledPlanner::settle() {
    do {
        is_settled_ = false;
        if (!start_from_the_front()) return;
        if (!waiting_.any_within(machine_.bounds())) break;
        if (machine_.is_loose()) machine_.reserve();
        pass_the_head();
    } while (!is_eligible(machine_.head()));
    is_settled_ = waiting_.keeps_first(now_);
}

// Starts jobs in order until one does not fit on the machine now; this job becomes the head.
// Returns false if no eligible job is left, or if it is already certain that no waiting job can
// start. If the head stays the same, it keeps its reservation, even if the shadow time is only an
// upper bound.
inline bool RuledPlanner::start_from_the_front() {
    const RequestClasses& classes = waiting_.classes();
    const bool keeps_head = machine_.head() != kNoJob && waiting_.keeps_first(now_);
    if (waiting_.drifts() && !keeps_head) {
        machine_.drop_reservation();
        if (!waiting_.any_within(machine_.bounds())) return false;
        waiting_.set_now(now_);
    }
    Slot first = waiting_.first_open();
    const auto has_room = [&] {
        return machine_.has_room(classes.kind(first).processors, classes.kind(first).length);
    };
    if (first != kNoSlot && classes.front(first) == machine_.head() && !has_room()) return true;
    machine_.drop_reservation();
    for (; first != kNoSlot && has_room(); first = waiting_.first_open())
        start(waiting_.take(first), false);
    if (first == kNoSlot) return false;
    machine_.set_head(classes.front(first));
    return true;
}

inline void RuledPlanner::pass_the_head() {
    while (true) {
        const Slot slot = waiting_.first_within(machine_.bounds(), machine_.longest_now());
        if (slot == kNoSlot) return;
        start(waiting_.take(slot), true);
    }
}

inline void RuledPlanner::start(JobId job, bool past_the_head) {
    machine_.take(job);
    starts_->add(job, past_the_head);
    waiting_.note_change(job, processors(job));
    gates_.note_started(job, waiting_.classes());
}

inline Time RuledPlanner::next_instant() const {
    if (!gates_.any() || gives_up()) return kNever;
    const Time opening = gates_.next_opening();
    const bool has_work = machine_.n_running() > 0 || !waiting_.classes().empty();
    return has_work ? std::min(opening, machine_.next_change()) : opening;
}

} // namespace slotwise
