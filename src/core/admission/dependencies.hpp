// Decides when the dependencies of a job allow it to start. A job may have to wait until its
// preceding_job has ended and a think time has passed, or until a list of conditions is met.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"
#include "workload/dependency_links.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// The ways in which a job can end.
enum class JobEnding : std::uint8_t {
    succeeded,
    failed,
    withdrawn,  // cancelled before it started
    turned_away // rejected when it was submitted
};

// A job depends only on jobs that come before it in the log. A missing or rejected job never blocks
// another job. An unknown think_time counts as 0. A job waits forever if one of its conditions can
// no longer be met, or if its preceding job is cancelled before starting.
class Dependencies {
  public:
    // A default-constructed object has no dependencies. In the other constructor,
    // `is_rejected[job]` is nonzero for jobs that never run, and `lists` may be null.
    Dependencies() = default;
    Dependencies(const ReplayJobs& jobs, const DependencyLists* lists,
                 const std::vector<std::uint8_t>& is_rejected);

    bool any() const { return !open_at_.empty(); }

    // Returns the earliest time at which the dependencies of `job` allow it to start, or kNever
    // while that time is unknown.
    Time opens(JobId job) const { return open_at_.empty() ? 0 : open_at_[job]; }

    // Records that `job` has ended, was cancelled or was rejected. Calls `opened(dependent, time)`
    // for each job whose dependencies are now met. No think time is added after a rejected job.
    // Further calls for the same job are ignored.
    template <class Opened> void note_over(JobId job, Time end, JobEnding ending, Opened&& opened) {
        if (open_at_.empty() || is_over_[job] != 0) return;
        is_over_[job] = 1;
        for (std::uint32_t at = links_->first[job]; at < links_->first[job + 1]; ++at) {
            const Follower& next = links_->followers[at];
            if (!is_met(next.kind, ending)) continue;
            const bool thinks =
                next.kind == DependencyLinks::Kind::preceding && ending != JobEnding::turned_away;
            meet(next.job, end + (thinks ? links_->think(next.job) : 0), opened);
        }
        const JobId freed = next_of_group(job);
        if (freed != kNoJob) meet(freed, end, opened);
    }

  private:
    struct Follower {
        JobId job;
        DependencyLinks::Kind kind;
    };
    struct Links {
        // The followers of job j are at the positions from first[j] to first[j + 1] − 1.
        std::vector<std::uint32_t> first;
        std::vector<Follower> followers;
        // The think time of each job; if this is empty, all think times are 0.
        std::vector<std::int64_t> think_time;
        std::vector<std::vector<JobId>> groups;
        std::vector<std::int32_t> group_of;
        std::vector<std::uint8_t> is_singleton;

        Time think(JobId job) const { return think_time.empty() ? 0 : think_time[job]; }
    };

    static bool is_met(DependencyLinks::Kind kind, JobEnding ending);

    template <class Opened> void meet(JobId job, Time time, Opened&& opened) {
        ready_[job] = ready_[job] > time ? ready_[job] : time;
        if (--n_open_[job] > 0) return;
        open_at_[job] = ready_[job];
        opened(job, open_at_[job]);
    }

    void add_groups(DependencyLinks& found, const std::vector<std::uint8_t>& is_rejected,
                    Links& links);

    // Advances the front of the job's group to the first job of the group that is not yet over. If
    // the front has moved to a singleton job, returns that job; otherwise, returns kNoJob.
    JobId next_of_group(JobId job);

    std::shared_ptr<const Links> links_;
    std::vector<Time> open_at_;
    std::vector<Time> ready_;           // latest time at which a condition was met
    std::vector<std::uint32_t> n_open_; // number of conditions not yet met
    std::vector<std::uint8_t> is_over_; // one element per job
    std::vector<std::size_t> front_;    // for each group, index of its first job that is not over
};

} // namespace slotwise
