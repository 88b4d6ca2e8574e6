#include "planner/easy/easy_candidates.hpp"

namespace slotwise {

namespace {

constexpr std::size_t kMostRows = 512;
// If there are fewer jobs per row than this, a list is faster than rows, because a search rarely
// reaches the end of the list.
constexpr std::size_t kJobsPerRow = 2;

} // namespace

template <class Rules>
EasyCandidates<Rules>::EasyCandidates(const ReplayContext& context, const Rules& rules,
                                      const EasyJobs<Rules>& jobs, const RankSet& queue)
    : jobs_(&jobs), queue_(&queue),
      may_group_(rules.is_ranked && !context.policy.backfill_order && !rules.waiting_drifts &&
                 context.jobs.size() <= SixteenMinima::kMostRanks) {}

template <class Rules>
EasyCandidates<Rules>::EasyCandidates(const EasyCandidates& other, const EasyJobs<Rules>& jobs,
                                      const RankSet& queue)
    : jobs_(&jobs), queue_(&queue), form_(other.form_), short_(other.short_), rows_(other.rows_),
      grid_(other.grid_), by_size_(other.by_size_), may_group_(other.may_group_),
      lengthens_at_(other.lengthens_at_) {
    if (by_size_) by_size_->rebind(jobs.sizes());
}

template <class Rules> void EasyCandidates<Rules>::put(JobId job) {
    if (form_ == Form::listed && short_.size() == lengthens_at_) lengthen();
    if (form_ == Form::rows && !put_in_rows(job) && !move_into_grid()) index();
    if (form_ == Form::gridded && !insert_row(*grid_, job)) index();
    if (form_ == Form::listed)
        put_in_list(job);
    else if (form_ == Form::by_size)
        by_size_->insert(job, jobs_->length_of(job));
}

template <class Rules> void EasyCandidates<Rules>::take(JobId job) {
    if (form_ == Form::listed)
        short_.erase(short_.find(job));
    else if (form_ == Form::rows)
        rows_->erase(jobs_->rank_of(job), jobs_->processors(job), jobs_->length_of(job));
    else if (form_ == Form::gridded)
        grid_->erase(jobs_->rank_of(job), jobs_->processors(job), jobs_->length_of(job));
    else
        by_size_->erase(job);
}

template <class Rules> void EasyCandidates<Rules>::update_length(JobId job) {
    if (form_ == Form::listed) {
        short_.set_length(short_.find(job), jobs_->length_of(job));
        return;
    }
    by_size_->erase(job);
    by_size_->insert(job, jobs_->length_of(job));
}

template <class Rules> void EasyCandidates<Rules>::put_in_list(JobId job) {
    short_.insert(job, jobs_->backfill_rank_of(job), jobs_->processors(job), jobs_->length_of(job));
}

// Puts `job` into the rows or the grid. Returns false if the job ranks ahead of an identical job
// that arrived before it.
template <class Rules>
template <class Rows>
bool EasyCandidates<Rules>::insert_row(Rows& rows, JobId job) {
    may_group_ = rows.insert(jobs_->rank_of(job), jobs_->processors(job), jobs_->length_of(job));
    return may_group_;
}

// Puts `job` into the rows. Returns false if there are too many rows, or if the job ranks ahead of
// an identical job that arrived before it.
template <class Rules> bool EasyCandidates<Rules>::put_in_rows(JobId job) {
    return rows_->rows() < kMostRows && insert_row(*rows_, job);
}

// Moves the jobs from the list or the rows into a grid. Returns false, without any change, if the
// jobs do not fit a grid.
template <class Rules> bool EasyCandidates<Rules>::move_into_grid() {
    if (!may_group_) return false;
    if (!grid_) grid_.emplace(jobs_->sizes(), jobs_->lengths());
    if (!grid_->fits()) return false;
    queue_->for_each([&](JobId rank) { insert_row(*grid_, jobs_->at_rank(rank)); });
    empty_form();
    form_ = Form::gridded;
    return true;
}

// Copies the jobs from the list into rows. If rows would not be faster, leaves them empty and
// returns false.
template <class Rules> bool EasyCandidates<Rules>::copy_into_rows() {
    if (!may_group_) return false;
    if (!rows_) rows_.emplace(jobs_->size());
    for (std::size_t slot = short_.begin(); slot < short_.end() && may_group_; ++slot)
        if (short_.holds(slot)) put_in_rows(short_.job_at(slot));
    if (may_group_ && kJobsPerRow * rows_->rows() <= short_.size()) return true;
    rows_->clear();
    return false;
}

template <class Rules> void EasyCandidates<Rules>::lengthen() {
    if (copy_into_rows()) {
        form_ = Form::rows;
        short_.clear();
    } else if (lengthens_at_ < ShortQueue::kMost) {
        lengthens_at_ *= 2;
    } else if (!move_into_grid()) {
        index();
    }
}

// Empties the current form before another form takes over its jobs.
template <class Rules> void EasyCandidates<Rules>::empty_form() {
    if (form_ == Form::listed)
        short_.clear();
    else if (form_ == Form::rows)
        rows_->clear();
    else
        queue_->for_each([&](JobId rank) { take(jobs_->at_rank(rank)); });
}

template <class Rules> void EasyCandidates<Rules>::index() {
    if (!by_size_) by_size_.emplace(jobs_->sizes(), jobs_->backfill_ranks());
    empty_form();
    form_ = Form::by_size;
    queue_->for_each([&](JobId rank) {
        const JobId job = jobs_->at_rank(rank);
        by_size_->insert(job, jobs_->length_of(job));
    });
}

template <class Rules> void EasyCandidates<Rules>::shorten() {
    empty_form();
    queue_->for_each([&](JobId rank) { put_in_list(jobs_->at_rank(rank)); });
    form_ = Form::listed;
    lengthens_at_ = kFewest;
}

template class EasyCandidates<EasyRules>;
template class EasyCandidates<EasyInTraceOrder>;

} // namespace slotwise
