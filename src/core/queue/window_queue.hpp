// The waiting jobs. The first few of them form the window.
#pragma once

#include "containers/min_tree.hpp"
#include "order/order.hpp"
#include "queue/ordered_queue.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

// No job behind the window precedes a job in it. When jobs have left the window, slide() moves the
// next jobs into it. Under a static order, every operation takes O(width + log jobs) time.
// If scores change over time, the whole queue is sorted in each pass.
class WindowQueue {
  public:
    WindowQueue(const OrderSpec& order, const ReplayJobs& jobs, std::size_t width);

    // Copies the queue for use with `jobs`, which is a copy of the jobs that `other` reads.
    WindowQueue(const WindowQueue& other, const OrderSpec& order, const ReplayJobs& jobs);

    bool drifts() const { return drifting_.has_value(); }
    std::size_t size() const { return size_; }

    // Returns the jobs of the window in order. processors() returns their processor counts, in the
    // same order.
    std::span<const JobId> window() const { return window_; }
    std::span<const ProcCount> processors() const { return processors_; }

    void insert(JobId job);
    void erase(JobId job);

    // Updates the scores if they change over time, and moves jobs into the window as slide() does.
    void sort_at(Time now);

    // Moves the next jobs into the window, until it is full or no more jobs are waiting.
    void slide();

    // Returns the first position behind the window. Positions follow the order of the queue, and
    // remain valid after the job at a position is erased.
    std::size_t begin_behind() const { return drifting_ ? window_.size() : 0; }
    std::size_t end_behind() const { return drifting_ ? drifting_->size() : jobs_->size(); }
    JobId behind_at(std::size_t place) const {
        return drifting_ ? drifting_->jobs()[place] : job_at(place);
    }

    // Returns the first position at or after `place` whose job has at most `most` processors, or
    // the end if there is none.
    std::size_t next_behind(std::size_t place, ProcCount most) const;

  private:
    JobId rank_of(JobId job) const { return rank_.empty() ? job : rank_[job]; }
    JobId job_at(std::size_t rank) const {
        return by_rank_.empty() ? static_cast<JobId>(rank) : by_rank_[rank];
    }
    bool belongs_in_window(JobId job) const;
    void put_in_window(JobId job);
    void put_behind(JobId job);
    void take_first(std::span<const JobId> jobs);

    const ReplayJobs* jobs_;
    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<JobId> window_;
    std::vector<ProcCount> processors_;

    // The following members are used under a static order:
    std::vector<JobId> rank_; // empty if jobs are in trace order
    std::vector<JobId> by_rank_;
    MinTree behind_; // processors of the jobs behind the window, by rank
    std::size_t n_behind_ = 0;

    std::optional<OrderedQueue> drifting_; // all waiting jobs, if scores change over time
};

} // namespace slotwise
