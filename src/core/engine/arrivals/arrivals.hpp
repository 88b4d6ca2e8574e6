// Future arrivals in trace order, without rejected jobs.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class Arrivals {
  public:
    Arrivals() = default;

    // All jobs on a machine with `processors` processors. `routing` is null for a plain site.
    Arrivals(const ReplayJobs& jobs, ProcCount processors, const Routing* routing)
        : jobs_(&jobs), processors_(processors), routing_(routing),
          limit_(static_cast<JobId>(jobs.size())) {
        skip_rejected();
    }

    // Continues from the state of `other`, over a copy of its jobs.
    Arrivals(const Arrivals& other, const ReplayJobs& jobs) : Arrivals(other) { jobs_ = &jobs; }

    // The time of the next arrival, or kNever.
    Time next() const { return next_; }

    // Jobs from this position on have not arrived; earlier jobs have arrived or were rejected.
    JobId position() const { return position_; }

    // Removes the next arrival and returns its job.
    JobId pop() {
        const JobId job = position_++;
        skip_rejected();
        return job;
    }

    // Continues with the job at `position`.
    void move_to(JobId position) {
        position_ = position;
        skip_rejected();
    }

    // Ends the arrivals before job `limit`.
    void close_at(JobId limit) {
        limit_ = limit;
        skip_rejected();
    }

  private:
    void skip_rejected() {
        while (position_ < limit_ && (jobs_->processors[position_] > processors_ ||
                                      (routing_ != nullptr && routing_->rejects(position_))))
            ++position_;
        next_ = position_ < limit_ ? jobs_->submit(position_) : kNever;
    }

    const ReplayJobs* jobs_ = nullptr;
    ProcCount processors_ = 0;
    const Routing* routing_ = nullptr;
    JobId position_ = 0;
    JobId limit_ = 0;
    Time next_ = kNever;
};

} // namespace slotwise
