#include "planner/ruled/ruled_planner.hpp"

#include <algorithm>

namespace slotwise {

RuledPlanner::RuledPlanner(const ReplayContext& context)
    : context_(context), gates_(context), waiting_(context, gates_.has_limits()),
      machine_(context) {}

RuledPlanner::RuledPlanner(const RuledPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), gates_(other.gates_, context),
      waiting_(other.waiting_, context), machine_(other.machine_, context),
      patience_(other.patience_), now_(other.now_), is_settled_(other.is_settled_) {}

std::size_t RuledPlanner::queued() const {
    return gates_.any() ? gates_.n_waiting() : waiting_.classes().n_waiting();
}

PoolId RuledPlanner::pool_number(JobId job) const {
    const bool ran = context_.schedule.start[job] != kNotStarted;
    return gates_.any() && ran ? PoolId{0} : kAnyPool;
}

std::vector<ProcCount> RuledPlanner::free_in_pools() const {
    return gates_.any() ? std::vector<ProcCount>{machine_.free()} : std::vector<ProcCount>{};
}

void RuledPlanner::describe(Schedule& schedule) const {
    if (!gates_.any()) return;
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (JobId job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(queue_number(job));
        schedule.pool[job] = static_cast<std::int16_t>(pool_number(job));
    }
    machine_.describe(schedule);
}

void RuledPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    const bool is_active = machine_.n_running() > 0 || !instant.arrived.empty();
    for (const JobId job : instant.ended)
        end(job);
    if (machine_.follow(now_, patience_)) is_settled_ = false;
    patience_.note_instant(now_, is_active);
    if (gates_.follow_hours(now_, waiting_.classes())) is_settled_ = false;
    plan(instant.arrived);
    due_ = next_instant();
}

void RuledPlanner::end(JobId job) {
    machine_.give_back(job);
    is_settled_ = false;
    waiting_.note_change(job, -processors(job));
    gates_.note_ended(job, now_, waiting_.classes());
}

void RuledPlanner::plan(std::span<const JobId> arrived) {
    for (const JobId job : arrived)
        gates_.note_waiting(job);
    if (arrived.size() == 1) {
        if (settle_arrival(arrived[0])) return;
    } else {
        for (const JobId job : arrived)
            enqueue(job);
        is_settled_ = is_settled_ && arrived.empty();
    }
    const RequestClasses& classes = waiting_.classes();
    if (classes.empty()) return;
    if (!is_settled_) settle();
    if (gates_.lifts() && classes.n_open() == 0 && !classes.empty()) start_when_lifted();
}

// Handles one arrival; returns true if no other job can start. While the head is the same, its
// reservation decides whether a job that ranks behind it may start.
bool RuledPlanner::settle_arrival(JobId job) {
    const bool may_start = is_eligible(job);
    const bool is_alone = waiting_.classes().n_open() == 0;
    const bool is_behind = is_settled_ && waiting_.ranks_before(machine_.head(), job);
    if (!may_start || (!is_alone && !is_behind)) {
        const bool was_settled = is_settled_ && (is_behind || !may_start);
        enqueue(job);
        is_settled_ = was_settled;
        return was_settled;
    }
    if (is_alone ? !machine_.has_room(processors(job), length(job))
                 : !machine_.may_pass(processors(job), length(job))) {
        enqueue(job);
        return !is_alone;
    }
    if (is_alone) machine_.drop_reservation();
    start(job, !is_alone);
    if (is_alone) return !gates_.lifts();
    is_settled_ = is_eligible(machine_.head());
    return is_settled_;
}

void RuledPlanner::enqueue(JobId job) {
    const Slot slot = waiting_.put(job, gates_.owner_of(job), [&](JobId last, JobId next) {
        return gates_.have_same_rules(last, next);
    });
    if (slot != kNoSlot) waiting_.classes().set_open(slot, is_eligible(job));
}

// Starts jobs until no waiting job may start. A start may fill the limit of the head; the next
// eligible job then becomes the head.
void RuledPlanner::settle() {
    const RequestClasses& classes = waiting_.classes();
    do {
        is_settled_ = false;
        machine_.drop_reservation();
        if (!classes.any_within(machine_.bounds())) return;
        waiting_.set_now(now_);
        Slot head;
        while ((head = waiting_.first_open()) != kNoSlot &&
               machine_.has_room(classes.processors(head), classes.length(head)))
            start(waiting_.take(head), false);
        if (head == kNoSlot) return;
        machine_.reserve(classes.front(head));
        pass_the_head();
    } while (!is_eligible(machine_.head()));
    is_settled_ = !waiting_.drifts();
}

void RuledPlanner::pass_the_head() {
    while (true) {
        const BackfillBounds bounds = machine_.bounds();
        if (bounds.free == 0) return;
        const Slot slot = waiting_.first_within(bounds, machine_.window());
        if (slot == kNoSlot) return;
        start(waiting_.take(slot), true);
    }
}

// Starts jobs regardless of limits of one user or group, in order, until one does not fit.
void RuledPlanner::start_when_lifted() {
    machine_.drop_reservation();
    if (machine_.free() == 0) return;
    waiting_.set_now(now_);
    const RequestClasses& classes = waiting_.classes();
    while (true) {
        const Slot found = waiting_.first_of(
            [&](Slot slot) { return gates_.allows_when_lifted(classes.front(slot), now_); });
        if (found == kNoSlot ||
            !machine_.has_room(classes.processors(found), classes.length(found)))
            return;
        start(waiting_.take(found), false);
    }
}

void RuledPlanner::start(JobId job, bool past_the_head) {
    machine_.take(job);
    starts_->add(job, past_the_head);
    waiting_.note_change(job, processors(job));
    gates_.note_started(job, now_, waiting_.classes());
}

Time RuledPlanner::next_instant() const {
    if (!gates_.any() || gives_up()) return kNever;
    const Time opening = gates_.next_opening();
    const bool has_work = machine_.n_running() > 0 || gates_.n_waiting() > 0;
    return has_work ? std::min(opening, machine_.next_change()) : opening;
}

} // namespace slotwise
