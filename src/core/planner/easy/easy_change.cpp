// How a planner begins in the middle of a replay, and loses a waiting job.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

template <class Rules> void EasyPlanner<Rules>::take_over(const Underway& underway) {
    now_ = underway.now;
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        free_ -= processors;
        if (!rules_.tracks_releases) continue;
        const Time start = context_.schedule.start[job];
        releases_.add(ends_.start(job, start, estimates_.running(job)), processors, now_);
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

template <class Rules> void EasyPlanner<Rules>::cancel(JobId job) {
    leave(job);
    if (job == reserved_for_) reserved_for_ = kNoJob;
    if (job == head_) head_ = kNoJob;
    reservation_stale_ = true;
    searched_ = {};
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
