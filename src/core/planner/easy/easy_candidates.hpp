// Waiting jobs in backfill order, kept in the form that suits their number: a few in a list, many
// as rows of identical jobs, in a grid where the rows get many, by size where a grid has no room.
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
    enum class Form : std::uint8_t { listed, alike, gridded, by_size };

    // `queue` holds the ranks of all waiting jobs but the one that is put in.
    EasyCandidates(const ReplayContext& context, const Rules& rules, const EasyJobs<Rules>& jobs,
                   const RankSet& queue);

    // The same jobs, over copies of what `other` reads.
    EasyCandidates(const EasyCandidates& other, const EasyJobs<Rules>& jobs, const RankSet& queue);

    Form form() const { return form_; }

    // The jobs, in the present form.
    ShortQueue& list() { return short_; }
    JobClassQueue& rows() { return *alike_; }
    JobClassGrid& grid() { return *grid_; }
    SizeIndex& by_size() { return *by_size_; }

    void put(JobId job);
    void take(JobId job);

    // The assumed length of a job has changed; in a list or by size.
    void update_length(JobId job);

    // True if so few jobs wait that a list is better.
    bool should_shorten() const { return form_ != Form::listed && queue_->size() <= fewest(); }
    void shorten();

  private:
    static constexpr std::size_t kFewest = ShortQueue::kMost / 4;

    template <class Rows> bool put_alike(Rows& rows, JobId job);
    bool put_in_rows(JobId job);
    void put_in_list(JobId job);
    bool list_alike();
    bool grid_alike();
    void lengthen();
    void index();
    void empty_form();
    std::size_t fewest() const { return form_ == Form::by_size ? kFewest : kFewest / 2; }

    const EasyJobs<Rules>* jobs_;
    const RankSet* queue_;
    Form form_ = Form::listed;
    ShortQueue short_;
    std::optional<JobClassQueue> alike_; // made when the queue first gets long
    std::optional<JobClassGrid> grid_;   // likewise
    std::optional<SizeIndex> by_size_;   // likewise
    bool may_be_alike_;                  // identical jobs wait in the order in which they came
    std::size_t lengthens_at_ = kFewest; // jobs in the list
};

} // namespace slotwise
