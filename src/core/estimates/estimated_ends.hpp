// The estimated ends of running jobs, and corrections for jobs that run longer than estimated.
#pragma once

#include "containers/block_column.hpp"
#include "estimates/run_time_estimates.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace slotwise {

// If no job can run longer than its estimate, nothing is stored: a job's planned end is its start
// plus its estimate. Otherwise, when a job exceeds its estimate, the estimate grows in steps, up to
// the requested time. The steps, from 1 min to 100 h, are those of Tsafrir, Etsion and Feitelson.
// If the job also exceeds its requested time, each pass moves its planned end to the next second.
class EstimatedEnds {
  public:
    EstimatedEnds(const ReplayContext& context, const RunTimeEstimates& estimates);

    void rebind(const ReplayContext& context) { context_ = &context; }

    // Records that a job with an estimate of `length` starts at `now`. Returns its planned end.
    Time start(JobId job, Time now, Duration length) {
        const Time end = now + length;
        if (corrects_) watch(job, end);
        return end;
    }

    // Returns the planned end of a running job, as set by start() or by the latest correction.
    Time of(JobId job, const RunTimeEstimates& estimates) const {
        return corrects_ ? end_[job] : context_->schedule.start[job] + estimates.running(job);
    }

    void forget(JobId job) {
        if (corrects_) end_.set(job, kNever);
    }

    // Corrects the planned end of each running job that should have ended by `now` but has not, and
    // calls `moved(job, old_end, new_end)` for it. A job that does end at `now` is not corrected,
    // even if its end has not been handled yet.
    template <class Moved> void correct(Time now, Moved&& moved);

  private:
    using Entry = std::pair<Time, JobId>;

    void watch(JobId job, Time end);
    Time corrected(JobId job, Time now);

    const ReplayContext* context_;
    bool corrects_;
    BlockColumn<Time> end_;          // planned end of each job; kNever while not running
    BlockColumn<std::uint8_t> turn_; // number of corrections of each job so far
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> by_end_;
};

template <class Moved> void EstimatedEnds::correct(Time now, Moved&& moved) {
    while (corrects_ && !by_end_.empty() && by_end_.top().first <= now) {
        const auto [end, job] = by_end_.top();
        by_end_.pop();
        if (end_[job] != end) continue;
        if (context_->schedule.start[job] + context_->jobs.run_time[job] <= now) continue;
        end_.set(job, corrected(job, now));
        by_end_.emplace(end_[job], job);
        moved(job, end, end_[job]);
    }
}

} // namespace slotwise
