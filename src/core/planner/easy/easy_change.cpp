// Part of EasyPlanner: takes over from another planner during a replay, hands over to another
// planner, and removes a waiting job.
#include "planner/easy/easy_planner.hpp"
#include "planner/easy/priority_planner.hpp"

namespace slotwise {

template <class Rules> void EasyPlanner<Rules>::take_over(const Underway& underway) {
    reservation_.advance(underway.now);
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        reservation_.occupy(processors);
        if (!rules_.tracks_releases) continue;
        const Time start = context_.schedule.start[job];
        reservation_.add_release(ends_.start(job, start, estimates_.running(job)), processors);
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

template <class Rules> void EasyPlanner<Rules>::cancel(JobId job) {
    leave(job);
    reservation_.drop(job);
    if (job == reservation_.head()) reservation_.set_head(kNoJob);
    reservation_.mark_stale();
    search_.forget();
}

template <class Rules>
std::unique_ptr<Scheduler>
EasyPlanner<Rules>::with_priorities(const ReplayContext& context,
                                    std::span<const JobId> waiting) const {
    if (!PriorityPlanner::fits(context)) return nullptr;
    auto planner =
        std::make_unique<PriorityPlanner>(context, estimates_, ends_, jobs_, reservation_);
    planner->take_queue(waiting);
    return planner;
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
