// The jobs that have yet to arrive, in trace order; rejected jobs are left out.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class Arrivals {
  public:
    Arrivals() = default;

    // At first, no job has arrived. `processors` is the size of the machine; `routing` is null if
    // the site consists only of a machine and a policy.
    Arrivals(const ReplayJobs& jobs, ProcCount processors, const Routing* routing)
        : jobs_(&jobs), processors_(processors), routing_(routing),
          limit_(static_cast<JobId>(jobs.size())) {
        skip_rejected();
    }

    // Copies the state of `other`. `jobs` must be a copy of the jobs of `other`.
    Arrivals(const Arrivals& other, const ReplayJobs& jobs) : Arrivals(other) { jobs_ = &jobs; }

    // Returns the time of the next arrival, or kNever.
    Time next() const { return next_; }

    // Returns the position of the next job to arrive. All earlier jobs have arrived or were
    // rejected.
    JobId position() const { return position_; }

    JobId pop() {
        const JobId job = position_++;
        skip_rejected();
        return job;
    }

    // Continues with the job at `position`, as if all earlier jobs had arrived.
    void move_to(JobId position) {
        position_ = position;
        skip_rejected();
    }

    // Removes job `limit` and all later jobs, which then never arrive.
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
