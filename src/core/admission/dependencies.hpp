// Jobs that wait for the end of another job, and then for a think time.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <vector>

namespace slotwise {

// A job depends on its preceding_job if that comes before it in the trace. A preceding job that is
// missing or rejected blocks no job. An unknown think_time is 0.
class Dependencies {
  public:
    // `is_rejected[job]` is not 0 for jobs that never run. The default has no dependencies.
    Dependencies() = default;
    Dependencies(const ReplayJobs& jobs, const std::vector<std::uint8_t>& is_rejected);

    bool any() const { return !open_at_.empty(); }

    // Time from which `job` may start by its dependency; kNever while that time is unknown.
    Time opens(JobId job) const { return open_at_.empty() ? 0 : open_at_[job]; }

    // Records that `job` has ended permanently; calls `opened(dependent, time)` for the jobs that
    // depend on it.
    template <class Opened> void note_ended(JobId job, Time end, Opened&& opened) {
        if (open_at_.empty()) return;
        for (JobId next = links_->first[job]; next != kNoJob; next = links_->next[next]) {
            open_at_[next] = end + links_->think_time[next];
            opened(next, open_at_[next]);
        }
    }

    // The same for a job that is turned away: no think time follows it.
    template <class Opened> void note_never_run(JobId job, Time now, Opened&& opened) {
        if (open_at_.empty()) return;
        for (JobId next = links_->first[job]; next != kNoJob; next = links_->next[next]) {
            open_at_[next] = now;
            opened(next, now);
        }
    }

  private:
    struct Links { // lists of the jobs that depend on one job
        std::vector<JobId> first;
        std::vector<JobId> next;
        std::vector<Time> think_time;
    };

    std::shared_ptr<const Links> links_;
    std::vector<Time> open_at_;
};

} // namespace slotwise
