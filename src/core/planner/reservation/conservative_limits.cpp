// Part of ConservativePlanner: the pass under limits on running jobs and on processors in use.
#include "planner/reservation/conservative_planner.hpp"

#include <algorithm>

namespace slotwise {

// Repeats the pass until no job starts. When a job starts and its owner thereby reaches a limit,
// the promises of the owner's other jobs are withdrawn. Other promises may then move.
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
    // Begins with the last job in order, because a removal shifts the positions after it.
    while (!jobs_.empty()) {
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

// Promises starts, in policy order, to the jobs that have become allowed to start since the last
// pass.
//
// If all these jobs have the same owner, no more promises are made once enough of them are due now
// for the owner to reach its limit. Promises to the owner's other jobs would be withdrawn again in
// the same pass, and no other promise would depend on them. However, the withdrawals would have had
// two effects, which are retained. First, all promises are compressed. Second, a job that starts
// now counts as having overtaken a waiting job if it ranks behind the first job without a promise.
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
