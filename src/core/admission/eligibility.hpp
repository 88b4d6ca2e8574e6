// Which waiting jobs a pass may look at: not held, nothing they depend on, their queue open, and
// room for them in every limit.
//
// Example, running_per_user 1: user 1 has a job running and one waiting, user 2 one waiting behind
// it. The waiting job of user 1 is not eligible: it is skipped, has no reservation and blocks
// nobody; the one of user 2 is tried. Once it has started, no further one of user 2 is eligible in
// the same pass.
#pragma once

#include "admission/dependencies.hpp"
#include "admission/limit_counts.hpp"
#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/opening_hours.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class Eligibility {
  public:
    // Of a completed site.
    Eligibility(const Site& site, const ReplayJobs& jobs, const Routing& routing);

    // Whether every waiting job is eligible at any time, as no rule says otherwise.
    bool all() const { return unruled_ && n_held_ == 0; }

    // `queue` is that of the job.
    bool allows(JobId job, QueueId queue, ProcCount processors, Time now) const {
        return all() || (is_ready(job, queue, now) && fits_now(job, queue, processors));
    }

    // The same at whatever hour.
    bool allows_at_any_hour(JobId job, QueueId queue, ProcCount processors, Time now) const {
        return all() || (!is_held(job) && dependencies_.opens(job) <= now &&
                         fits_now(job, queue, processors));
    }

    // The same without the site's limits of one user or group.
    bool allows_when_lifted(JobId job, QueueId queue, ProcCount processors, Time now) const;

    void note_waiting(JobId job, QueueId queue);
    void note_started(JobId job, QueueId queue, ProcCount processors); // it waits no longer
    void note_cancelled(JobId job, QueueId queue);                     // so neither

    // It runs no longer; whether that may make another eligible.
    bool note_stopped(JobId job, QueueId queue, ProcCount processors);

    // `job` has ended for good; `opened(job, time)` as Dependencies says.
    template <class Opened> void note_ended(JobId job, Time end, Opened&& opened) {
        dependencies_.note_ended(job, end, opened);
    }

    // From when on `job` may start as far as its dependency goes; kNever while that is unknown.
    Time opens(JobId job) const { return dependencies_.opens(job); }

    // `waits`: it is one that waits.
    void hold(JobId job, QueueId queue, bool waits);
    void release(JobId job, QueueId queue, bool waits);
    bool is_held(JobId job) const { return n_held_ > 0 && job < held_.size() && held_[job] != 0; }

    // The jobs that wait and are not held.
    std::size_t n_free() const { return n_free_; }

    // Of these, the jobs that do not hang on another that has not ended.
    std::size_t n_coming() const { return n_coming_; }

    // A waiting job hangs on another no longer.
    void note_opened(JobId job, QueueId queue) {
        if (!is_held(job)) count_coming(queue, 1);
    }

    // The first opening after `now` of a queue in which one of n_coming() waits, or kNever.
    Time next_opening(Time now) const;

    bool has_limits() const { return !owners_->empty(); }

    // Limits of nodes in use: a job may start on these, or holds them (sign 1), or no longer (−1).
    bool counts_nodes() const { return counts_nodes_; }
    bool allows_on(JobId job, QueueId queue, std::span<const Place> places) const;
    void note_nodes(JobId job, QueueId queue, std::span<const Place> places, int sign);

    // Limits of submitted jobs: there is room for one more; it has come (sign 1), or is over (−1).
    bool admits(JobId job, QueueId queue) const;
    void note_submitted(JobId job, QueueId queue, int sign);
    bool have_same_owners(JobId one, JobId other) const {
        return (*owners_)[one].of == (*owners_)[other].of;
    }
    bool has_hours() const { return has_hours_; }

  private:
    Owner owner(JobId job) const { return owners_->empty() ? Owner{} : (*owners_)[job]; }
    bool is_ready(JobId job, QueueId queue, Time now) const {
        return !is_held(job) && dependencies_.opens(job) <= now &&
               (!has_hours_ || hours_[queue].is_open(now));
    }
    bool fits_now(JobId job, QueueId queue, ProcCount processors) const {
        if (!has_limits()) return true;
        const Owner& who = (*owners_)[job];
        const JobUse use = use_of(job, processors);
        const auto has_room_in = [&](const LimitCounts& limits) {
            return !limits.any() ||
                   (limits.fits_now(who, use) && limits.is_within_queued(who, job));
        };
        return has_room_in(site_limits_) && has_room_in(limits_[queue]);
    }
    void count_free(JobId job, QueueId queue, int sign);
    void count_coming(QueueId queue, int sign);
    bool is_within_queued(JobId job, QueueId queue) const;
    JobUse use_of(JobId job, ProcCount processors) const;

    std::shared_ptr<const std::vector<Owner>> owners_; // by job; empty where nothing is limited
    std::shared_ptr<const JobShapes> shapes_;          // on a machine of nodes
    std::vector<LimitCounts> limits_;                  // by queue
    LimitCounts site_limits_;
    std::vector<OpeningHours> hours_;      // by queue
    std::vector<std::size_t> n_coming_of_; // by queue
    std::size_t n_coming_ = 0;
    std::size_t n_free_ = 0;
    Dependencies dependencies_;
    std::vector<std::uint8_t> held_; // by job; empty while none is
    std::size_t n_held_ = 0;
    bool has_hours_ = false;
    bool counts_nodes_ = false;
    bool unruled_;
};

} // namespace slotwise
