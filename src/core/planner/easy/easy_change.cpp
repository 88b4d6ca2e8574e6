// How a planner begins in the middle of a replay, and loses a waiting job.
#include "machine/processors.hpp"
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

template <MachineModel Machine, class Rules>
void EasyPlanner<Machine, Rules>::take_over(const Underway& underway) {
    now_ = underway.now;
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        machine_.allocate(job, processors);
        if (!rules_.tracks_releases) continue;
        const Time start = context_.schedule.start[job];
        releases_.add(ends_.start(job, start, estimates_.running(job)), processors, now_);
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

template <MachineModel Machine, class Rules> void EasyPlanner<Machine, Rules>::cancel(JobId job) {
    leave(job);
    if (job == reserved_for_) reserved_for_ = kNoJob;
    if (job == head_) head_ = kNoJob;
    reservation_stale_ = true;
    searched_ = {};
}

template class EasyPlanner<Processors, EasyRules>;
template class EasyPlanner<Processors, EasyInTraceOrder>;

} // namespace slotwise
