// Jobs that wait for the end of another and then for some time to think.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <vector>

namespace slotwise {

// A job depends on its preceding_job where that stands before it in the trace; one that is not
// there, or is rejected, holds nobody. An unknown think_time is 0.
class Dependencies {
  public:
    // `is_rejected[job]` is not 0 for jobs that never run. Without them: nothing depends.
    Dependencies() = default;
    Dependencies(const ReplayJobs& jobs, const std::vector<std::uint8_t>& is_rejected);

    bool any() const { return !open_at_.empty(); }

    // From when on `job` may start as far as its dependency goes; kNever while that is unknown.
    Time opens(JobId job) const { return open_at_.empty() ? 0 : open_at_[job]; }

    // `job` has ended for good; calls `opened(dependent, time)` for those that hang on it.
    template <class Opened> void note_ended(JobId job, Time end, Opened&& opened) {
        if (open_at_.empty()) return;
        for (JobId next = links_->first[job]; next != kNoJob; next = links_->next[next]) {
            open_at_[next] = end + links_->think_time[next];
            opened(next, open_at_[next]);
        }
    }

  private:
    struct Links { // the jobs that hang on one, as a list
        std::vector<JobId> first;
        std::vector<JobId> next;
        std::vector<Time> think_time;
    };

    std::shared_ptr<const Links> links_;
    std::vector<Time> open_at_;
};

} // namespace slotwise
