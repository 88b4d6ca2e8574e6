// How the jobs behind the head are kept: a few in a list, many as rows of jobs alike, in a grid
// where the rows get many, by size where that has no room either.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

constexpr std::size_t kMostRows = 512;
constexpr std::size_t kJobsPerRow =
    2; // fewer, and a list is as good: it need not be read to its end

} // namespace

template <class Rules> void EasyPlanner<Rules>::put_behind_head(JobId job) {
    if (form_ == Form::listed && short_.size() == lengthens_at_) lengthen();
    if (form_ == Form::alike && !put_in_rows(job) && !grid_alike()) index();
    if (form_ == Form::gridded && !put_alike(*grid_, job)) index();
    if (form_ == Form::listed)
        short_.insert(job, backfill_rank_of(job), context_.jobs.processors[job], length_of(job));
    else if (form_ == Form::by_size)
        by_size_->insert(job, length_of(job));
}

template <class Rules> void EasyPlanner<Rules>::take_from_behind_head(JobId job) {
    if (form_ == Form::listed)
        short_.erase(short_.find(job));
    else if (form_ == Form::alike)
        alike_->erase(rank_of(job), context_.jobs.processors[job], length_of(job));
    else if (form_ == Form::gridded)
        grid_->erase(rank_of(job), context_.jobs.processors[job], length_of(job));
    else
        by_size_->erase(job);
}

// Into rows or a grid of them; false where `job` came after one alike that it precedes.
template <class Rules>
template <class Rows>
bool EasyPlanner<Rules>::put_alike(Rows& rows, JobId job) {
    may_be_alike_ = rows.insert(rank_of(job), context_.jobs.processors[job], length_of(job));
    return may_be_alike_;
}

// False where the rows are too many too.
template <class Rules> bool EasyPlanner<Rules>::put_in_rows(JobId job) {
    return alike_->rows() < kMostRows && put_alike(*alike_, job);
}

// Moves list or rows into a grid; false, and nothing is changed, where it cannot be.
template <class Rules> bool EasyPlanner<Rules>::grid_alike() {
    if (!may_be_alike_) return false;
    if (!grid_) grid_.emplace(context_.jobs.processors, *estimates_.waiting_column());
    if (!grid_->fits()) return false;
    queue_.for_each([&](JobId rank) { put_alike(*grid_, job_at_rank(rank)); });
    empty_form();
    form_ = Form::gridded;
    return true;
}

// Copies the list into rows; false, and they are empty, where they would not pay.
template <class Rules> bool EasyPlanner<Rules>::list_alike() {
    if (!may_be_alike_) return false;
    if (!alike_) alike_.emplace(context_.jobs.size());
    for (std::size_t slot = short_.begin(); slot < short_.end() && may_be_alike_; ++slot)
        if (short_.holds(slot)) put_in_rows(short_.job_at(slot));
    if (may_be_alike_ && kJobsPerRow * alike_->rows() <= short_.size()) return true;
    alike_->clear();
    return false;
}

template <class Rules> void EasyPlanner<Rules>::lengthen() {
    if (list_alike()) {
        form_ = Form::alike;
        short_.clear();
    } else if (lengthens_at_ < ShortQueue::kMost) {
        lengthens_at_ *= 2;
    } else if (!grid_alike()) {
        index();
    }
}

// Before another form takes the jobs over.
template <class Rules> void EasyPlanner<Rules>::empty_form() {
    if (form_ == Form::listed)
        short_.clear();
    else if (form_ == Form::alike)
        alike_->clear();
    else
        queue_.for_each([&](JobId rank) { take_from_behind_head(job_at_rank(rank)); });
}

template <class Rules> void EasyPlanner<Rules>::index() {
    if (!by_size_) by_size_.emplace(context_.jobs.processors, backfill_rank_);
    empty_form();
    form_ = Form::by_size;
    searched_ = {};
    queue_.for_each(
        [&](JobId rank) { by_size_->insert(job_at_rank(rank), length_of(job_at_rank(rank))); });
}

template <class Rules> void EasyPlanner<Rules>::shorten() {
    empty_form();
    queue_.for_each([&](JobId rank) {
        const JobId job = job_at_rank(rank);
        short_.insert(job, backfill_rank_of(job), context_.jobs.processors[job], length_of(job));
    });
    form_ = Form::listed;
    lengthens_at_ = kFewest;
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
