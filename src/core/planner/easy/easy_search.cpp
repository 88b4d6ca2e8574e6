// Part of EasyPlanner: searches a long queue for jobs that may pass the head.
#include "planner/easy/easy_planner.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

namespace {

// Returns the index of the highest score, or of the first one if several are equal. Keeps four
// running maxima because, with only one, each step would have to wait for the previous step.
std::size_t first_highest(std::span<const double> scores) {
    double best[4] = {scores[0], scores[0], scores[0], scores[0]};
    std::size_t i = 0;
    for (; i + 4 <= scores.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k)
            best[k] = scores[i + k] > best[k] ? scores[i + k] : best[k];
    for (; i < scores.size(); ++i)
        best[0] = scores[i] > best[0] ? scores[i] : best[0];
    const double highest = *std::max_element(best, best + 4);
    return static_cast<std::size_t>(std::find(scores.begin(), scores.end(), highest) -
                                    scores.begin());
}

} // namespace

// Tries the waiting jobs in backfill order, and starts each one that may pass the head.
template <class Rules> void EasyPlanner<Rules>::fill() {
    search_.open(only_old_);
    for (JobId job; (job = search_.next()) != kNoJob;) {
        const bool starts = reservation_.may_start(job);
        if (starts) start_waiting(job, true);
        search_.tried(starts);
    }
    search_.note_searched();
}

template <class Rules> void EasyPlanner<Rules>::fill_by_score() {
    scratch_jobs_.clear();
    search_.list(only_old_, scratch_jobs_);
    try_by_score(scratch_jobs_);
    search_.note_searched();
}

// On a short queue, starts the jobs that may pass the head, highest score first. Requires that no
// job before `slot` can pass the head.
template <class Rules> void EasyPlanner<Rules>::fill_short_by_score(std::size_t slot) {
    scratch_jobs_.clear();
    const ShortQueue& list = candidates_.list();
    const auto next_from = [&](std::size_t from) { return list.next(from, reservation_.bounds()); };
    for (slot = next_from(slot); slot < list.end(); slot = next_from(slot + 1))
        scratch_jobs_.push_back(list.job_at(slot));
    try_by_score(scratch_jobs_);
}

// Searches the rows from this group onwards, and starts the jobs that may pass the head. Requires
// that no job in an earlier group can pass it. If a row becomes empty during the search, the last
// row takes its place. No row of an earlier group becomes empty, so no row moves to a place that
// the search has already passed.
template <class Rules> void EasyPlanner<Rules>::fill_rows(std::size_t group) {
    while (reservation_.available() > 0) {
        const JobId rank = candidates_.rows().first(group, reservation_.bounds());
        if (rank == kNoJob) return;
        const JobId job = jobs_.at_rank(rank);
        if (reservation_.may_start(job)) start_waiting(job, true);
    }
}

// Searches the jobs from `rank` onwards, or all jobs if `rank` is kNoJob, and starts those that may
// pass the head. Requires that no job before `rank` can pass the head.
template <class Rules> void EasyPlanner<Rules>::fill_grid(JobId rank) {
    for (; reservation_.available() > 0; rank = kNoJob) {
        if (rank == kNoJob) rank = candidates_.grid().first(reservation_.bounds());
        if (rank == kNoJob) return;
        const JobId job = jobs_.at_rank(rank);
        if (reservation_.may_start(job)) start_waiting(job, true);
    }
}

template <class Rules> void EasyPlanner<Rules>::fill_moving() {
    for (JobId job; (job = moving_->highest(reservation_.bounds(), reservation_.now())) != kNoJob;)
        if (reservation_.may_start(job)) start_waiting(job, true);
}

// Finds the highest score by linear search a few times, then puts the remaining jobs into a heap.
// Usually even the first job does not fit, so no heap is needed.
template <class Rules> void EasyPlanner<Rules>::start_from_the_front_by_score() {
    scratch_jobs_.resize(queue_.size());
    queue_.for_each([to = scratch_jobs_.data()](JobId job) mutable { *to++ = job; });
    scratch_scores_.resize(scratch_jobs_.size());
    order_->score(context_.jobs, scratch_jobs_, reservation_.now(), scratch_scores_);
    for (int looks = 0; looks < 4 && !scratch_jobs_.empty(); ++looks) {
        const auto at = static_cast<std::ptrdiff_t>(first_highest(scratch_scores_));
        if (!start_head(scratch_jobs_[static_cast<std::size_t>(at)])) return;
        scratch_jobs_.erase(scratch_jobs_.begin() + at);
        scratch_scores_.erase(scratch_scores_.begin() + at);
    }
    const auto later = [](const Scored& a, const Scored& b) {
        return a.score < b.score || (a.score == b.score && a.job > b.job);
    };
    list_scored(scratch_jobs_);
    std::make_heap(scored_.begin(), scored_.end(), later);
    while (!scored_.empty()) {
        if (!start_head(scored_.front().job)) return;
        std::pop_heap(scored_.begin(), scored_.end(), later);
        scored_.pop_back();
    }
    reservation_.set_head(kNoJob);
}

// Tries `jobs`, highest score first, and starts those that may pass the head.
template <class Rules> void EasyPlanner<Rules>::try_by_score(std::vector<JobId>& jobs) {
    if (jobs.size() == 1) {
        if (reservation_.may_start(jobs[0])) start_waiting(jobs[0], true);
        return;
    }
    scratch_scores_.resize(jobs.size());
    backfill_order_->score(context_.jobs, jobs, reservation_.now(), scratch_scores_);
    list_scored(jobs);
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    for (const Scored& candidate : scored_)
        if (reservation_.may_start(candidate.job)) start_waiting(candidate.job, true);
}

// Fills scored_ with `jobs` and their scores, which must be in scratch_scores_.
template <class Rules> void EasyPlanner<Rules>::list_scored(const std::vector<JobId>& jobs) {
    scored_.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        scored_.push_back({scratch_scores_[i], jobs[i]});
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
