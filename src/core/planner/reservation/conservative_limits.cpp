// ConservativePlanner: the pass under limits of running jobs and of processors.
#include "planner/reservation/conservative_planner.hpp"

#include <algorithm>

namespace slotwise {

// A start may fill a limit. Promises that it holds back are then withdrawn, and others move.
void ConservativePlanner::plan_under_limits(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended)
        gates_->note_ended(job);
    for (const JobId job : instant.arrived)
        gates_->enter(job, ranking_);
    std::size_t before;
    do {
        before = starts.jobs.size();
        withdraw_held_back();
        if (ended_early_ || gave_up_) sweep();
        ended_early_ = false;
        promise_allowed();
        start_due(starts);
    } while (starts.jobs.size() > before && queued() > 0);
    due_ = plan_.promises().first_start();
}

void ConservativePlanner::withdraw_held_back() {
    jobs_.clear();
    gates_->take_held_back(jobs_);
    if (jobs_.empty()) return;
    gave_up_ = true;
    ranking_.sort(jobs_, now_);
    const PromiseQueue& promises = plan_.promises();
    while (!jobs_.empty()) { // last in order first, because each removal moves the jobs behind it
        const std::size_t block = promises.find_ranked(ranking_.rank_of(jobs_.back())).block;
        const std::uint32_t first = promises.first_rank(block);
        std::uint64_t lanes = 0;
        for (; !jobs_.empty() && ranking_.rank_of(jobs_.back()) >= first; jobs_.pop_back()) {
            const auto at = promises.find_ranked(ranking_.rank_of(jobs_.back()));
            lanes |= std::uint64_t{1} << at.index;
        }
        plan_.withdraw(block, lanes);
    }
}

// Promises starts to the jobs that may start since the last pass, in policy order.
//
// Once enough jobs of one owner are due now to fill its limit, the promises of its other jobs would
// be withdrawn in this pass. If no job of another owner gets a promise, no plan depends on these
// promises, and they are not made. The effects of a withdrawal remain: all promises are compressed,
// and jobs that start behind the first of these jobs start past a waiting job.
void ConservativePlanner::promise_allowed() {
    left_rank_ = kNoJob;
    if (gates_->is_one_owner_allowed()) {
        const auto is_due = [this](JobId job) { return promise(job) <= now_; };
        const JobId left = gates_->promise_until_filled(is_due);
        if (left == kNoJob) return;
        gave_up_ = true;
        left_rank_ = ranking_.rank_of(left);
        return;
    }
    jobs_.clear();
    gates_->take_allowed(jobs_);
    if (jobs_.size() > 1) ranking_.sort(jobs_, now_);
    for (const JobId job : jobs_)
        promise(job);
}

} // namespace slotwise
