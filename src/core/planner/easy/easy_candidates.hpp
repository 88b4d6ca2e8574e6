// The waiting jobs in backfill order. How they are stored depends on their number: a few jobs are
// kept in a list, and many jobs in rows of identical jobs. If there are too many rows, the jobs are
// moved into a grid or, if they do not fit a grid, stored by size.
#pragma once

#include "containers/rank_set.hpp"
#include "planner/easy/easy_jobs.hpp"
#include "queue/job_class_grid.hpp"
#include "queue/job_class_queue.hpp"
#include "queue/short_queue.hpp"
#include "queue/size_index.hpp"
#include "types.hpp"

#include <optional>

namespace slotwise {

template <class Rules> class EasyCandidates {
  public:
    enum class Form : std::uint8_t { listed, rows, gridded, by_size };

    // `queue` must contain the ranks of all waiting jobs except the one that is being inserted.
    EasyCandidates(const ReplayContext& context, const Rules& rules, const EasyJobs<Rules>& jobs,
                   const RankSet& queue);

    // Copies `other` for use with copies of its jobs and of its queue.
    EasyCandidates(const EasyCandidates& other, const EasyJobs<Rules>& jobs, const RankSet& queue);

    Form form() const { return form_; }

    // Each function returns the jobs in one of the forms. Call the one that matches form().
    ShortQueue& list() { return short_; }
    JobClassQueue& rows() { return *rows_; }
    JobClassGrid& grid() { return *grid_; }
    SizeIndex& by_size() { return *by_size_; }

    void put(JobId job);
    void take(JobId job);

    // Updates a job that is stored in a list or by size, after its assumed length has changed.
    void update_length(JobId job);

    // Returns true if so few jobs are waiting that a list would be faster.
    bool should_shorten() const { return form_ != Form::listed && queue_->size() <= fewest(); }
    void shorten();

  private:
    static constexpr std::size_t kFewest = ShortQueue::kMost / 4;

    template <class Rows> bool insert_row(Rows& rows, JobId job);
    bool put_in_rows(JobId job);
    void put_in_list(JobId job);
    bool copy_into_rows();
    bool move_into_grid();
    void lengthen();
    void index();
    void empty_form();
    std::size_t fewest() const { return form_ == Form::by_size ? kFewest : kFewest / 2; }

    const EasyJobs<Rules>* jobs_;
    const RankSet* queue_;
    Form form_ = Form::listed;
    ShortQueue short_;
    std::optional<JobClassQueue> rows_; // created on first use
    std::optional<JobClassGrid> grid_;  // created on first use
    std::optional<SizeIndex> by_size_;  // created on first use
    bool may_group_;                    // true if identical jobs wait in order of arrival
    // The number of jobs at which the list is replaced by another form.
    std::size_t lengthens_at_ = kFewest;
};

} // namespace slotwise
