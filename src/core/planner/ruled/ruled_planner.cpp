#include "planner/ruled/ruled_pass.hpp"

namespace slotwise {

RuledPlanner::RuledPlanner(const ReplayContext& context)
    : context_(context), gates_(context), waiting_(context, gates_.has_limits()),
      machine_(context) {}

RuledPlanner::RuledPlanner(const RuledPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), gates_(other.gates_, context),
      waiting_(other.waiting_, context), machine_(other.machine_, context),
      patience_(other.patience_), now_(other.now_), is_settled_(other.is_settled_) {}

std::size_t RuledPlanner::queued() const {
    return waiting_.classes().n_waiting();
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
    describe_queues(context_.jobs.size(), schedule);
    machine_.describe(schedule);
}

void RuledPlanner::pass(const Instant& instant, Starts& starts) {
    begin(instant.now, starts);
    for (const JobId job : instant.ended)
        end(job);
    follow(!instant.arrived.empty());
    plan(instant.arrived);
    finish();
}

// Starts jobs in order, ignoring the limits that `lifted_when_idle` lifts, until one does not fit.
void RuledPlanner::start_when_lifted() {
    machine_.drop_reservation();
    if (machine_.free() == 0) return;
    waiting_.set_now(now_);
    const RequestClasses& classes = waiting_.classes();
    while (true) {
        const Slot found = waiting_.first_of(
            [&](Slot slot) { return gates_.allows_when_lifted(classes.front(slot)); });
        if (found == kNoSlot ||
            !machine_.has_room(classes.kind(found).processors, classes.kind(found).length))
            return;
        start(waiting_.take(found), false);
    }
}

} // namespace slotwise
