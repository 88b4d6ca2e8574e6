// How a long queue is searched for jobs that may pass the head.
#include "planner/easy/easy_planner.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

namespace {

// Four running maxima, as one would wait for itself at each step.
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

// While the head stays, its shadow time only comes nearer: what was too large or too long at the
// last search can start now only if it is of a size that was not free then, or not spare.
template <class Rules> typename EasyPlanner<Rules>::Sizes EasyPlanner<Rules>::sizes_to_search() {
    Sizes sizes{0, 0, 0, by_size_->sizes_up_to(available())};
    sizes.spare_end =
        rules_.reserves ? std::min(sizes.end, by_size_->sizes_up_to(spare())) : sizes.end;
    if (rules_.plain && only_old_ && searched_.head == head_ && shadow_ <= searched_.shadow) {
        sizes.from = searched_.available_end;
        sizes.spare_from = std::min(sizes.from, searched_.spare_end);
    }
    sizes.from = std::min(sizes.end, std::max(sizes.from, sizes.spare_end));
    sizes.spare_from = std::min(sizes.spare_from, sizes.spare_end);
    return sizes;
}

// Starts, in backfill order, every waiting job that the head's reservation lets pass. One candidate
// a size is open, the first of its size that may start; a started one is followed by the next of
// its size. A candidate is looked for only once its lower bound comes first.
template <class Rules> void EasyPlanner<Rules>::fill() {
    found_.clear();
    const Sizes sizes = sizes_to_search();
    gather(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength);
    gather(sizes.from, sizes.end, longest_before_shadow());
    while (!found_.empty()) {
        const auto next = std::min_element(
            found_.begin(), found_.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
        const bool located = next->position != SizeIndex::kNoPosition;
        if (!located && !locate(*next)) {
            *next = found_.back();
            found_.pop_back();
        } else if (located && try_candidate(*next)) {
            drop_too_large();
        }
    }
    note_searched();
}

// No waiting job may start any more.
template <class Rules> void EasyPlanner<Rules>::note_searched() {
    const SizeIndex::Size available_end = by_size_->sizes_up_to(available());
    searched_ = {head_, shadow_, available_end,
                 rules_.reserves ? by_size_->sizes_up_to(spare()) : available_end};
}

template <class Rules>
void EasyPlanner<Rules>::gather(SizeIndex::Size from, SizeIndex::Size to, Duration longest) {
    by_size_->for_each_size(from, to, longest, [&](SizeIndex::Size size) {
        const JobId bound = backfill_rank_of(by_size_->not_before(size, longest));
        found_.push_back({bound, size, 0, SizeIndex::kNoPosition});
    });
}

// Finds the candidate's position; false where its size holds none.
template <class Rules> bool EasyPlanner<Rules>::locate(Candidate& candidate) {
    const Duration longest = longest_for(by_size_->processors_of(candidate.size));
    candidate.position = candidate.from == 0
                             ? by_size_->first_of(candidate.size, longest)
                             : by_size_->first_in_size(candidate.size, candidate.from, longest);
    if (candidate.position == SizeIndex::kNoPosition) return false;
    candidate.rank = backfill_rank_of(by_size_->job_at(candidate.position));
    return true;
}

// Starts a located candidate where it may; it then stands for the next of its size.
template <class Rules> bool EasyPlanner<Rules>::try_candidate(Candidate& candidate) {
    const JobId job = by_size_->job_at(candidate.position);
    const bool starts = may_start(job);
    if (starts)
        start_waiting(job, true);
    else
        candidate.from = candidate.position + 1;
    candidate.position = SizeIndex::kNoPosition;
    ++candidate.rank;
    return starts;
}

template <class Rules> void EasyPlanner<Rules>::drop_too_large() {
    const SizeIndex::Size end = by_size_->sizes_up_to(available());
    std::erase_if(found_, [&](const Candidate& candidate) {
        return candidate.size >= end || by_size_->is_empty(candidate.size);
    });
}

template <class Rules>
void EasyPlanner<Rules>::gather_all(SizeIndex::Size from, SizeIndex::Size to, Duration longest) {
    for (; (from = by_size_->first_size(from, to, longest)) < to; ++from) {
        SizeIndex::Position position = by_size_->first_in_size(from, 0, longest);
        for (; position != SizeIndex::kNoPosition;
             position = by_size_->first_in_size(from, position + 1, longest))
            scratch_jobs_.push_back(by_size_->job_at(position));
    }
}

template <class Rules> void EasyPlanner<Rules>::fill_by_score() {
    scratch_jobs_.clear();
    const Sizes sizes = sizes_to_search();
    gather_all(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength);
    gather_all(sizes.from, sizes.end, longest_before_shadow());
    try_by_score(scratch_jobs_);
    note_searched();
}

// As fill_by_score, of a short queue; no job before `slot` may pass.
template <class Rules> void EasyPlanner<Rules>::fill_short_by_score(std::size_t slot) {
    scratch_jobs_.clear();
    const auto next_from = [&](std::size_t from) { return short_.next(from, bounds()); };
    for (slot = next_from(slot); slot < short_.end(); slot = next_from(slot + 1))
        scratch_jobs_.push_back(short_.job_at(slot));
    try_by_score(scratch_jobs_);
}

// From `group` on, before which no job may pass; a row that closes lies behind, and so does what
// moves there.
template <class Rules> void EasyPlanner<Rules>::fill_alike(std::size_t group) {
    while (available() > 0) {
        const JobId rank = alike_->first(group, bounds());
        if (rank == kNoJob) return;
        if (may_start(job_at_rank(rank))) start_waiting(job_at_rank(rank), true);
    }
}

// From `rank` on, before which no job may pass; from the first where it is kNoJob.
template <class Rules> void EasyPlanner<Rules>::fill_grid(JobId rank) {
    for (; available() > 0; rank = kNoJob) {
        if (rank == kNoJob) rank = grid_->first(bounds());
        if (rank == kNoJob) return;
        if (may_start(job_at_rank(rank))) start_waiting(job_at_rank(rank), true);
    }
}

template <class Rules> void EasyPlanner<Rules>::fill_moving() {
    for (JobId job; (job = moving_->highest(bounds(), now_)) != kNoJob;)
        if (may_start(job)) start_waiting(job, true);
}

// Looks at most so often for the highest score of all, then keeps the rest as a heap: as a rule the
// first does not fit.
template <class Rules> void EasyPlanner<Rules>::start_from_the_front_by_score() {
    scratch_jobs_.resize(queue_.size());
    queue_.for_each([to = scratch_jobs_.data()](JobId job) mutable { *to++ = job; });
    scratch_scores_.resize(scratch_jobs_.size());
    order_->score(context_.jobs, scratch_jobs_, now_, scratch_scores_);
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
    head_ = kNoJob;
}

// Starts what may start of `jobs`, highest score first.
template <class Rules> void EasyPlanner<Rules>::try_by_score(std::vector<JobId>& jobs) {
    if (jobs.size() == 1) {
        if (may_start(jobs[0])) start_waiting(jobs[0], true);
        return;
    }
    score_queue(*backfill_order_, jobs);
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    for (const Scored& candidate : scored_)
        if (may_start(candidate.job)) start_waiting(candidate.job, true);
}

// Fills scored_ for `jobs` at this instant.
template <class Rules>
void EasyPlanner<Rules>::score_queue(const Order& order, std::vector<JobId>& jobs) {
    scratch_scores_.resize(jobs.size());
    order.score(context_.jobs, jobs, now_, scratch_scores_);
    list_scored(jobs);
}

template <class Rules> void EasyPlanner<Rules>::list_scored(const std::vector<JobId>& jobs) {
    scored_.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        scored_.push_back({scratch_scores_[i], jobs[i]});
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
