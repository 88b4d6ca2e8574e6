// Waiting jobs under conservative backfilling with limits: a job whose owner is at a limit has no
// promise.
//
// Example, running_per_user 1: user 1 has three jobs. The first starts, so the promises of the
// other two are withdrawn. Once the first has ended, both get new promises, maybe for the same
// instant.
#pragma once

#include "admission/owner_limits.hpp"
#include "admission/routing.hpp"
#include "queue/job_ranking.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace slotwise {

class PromiseGates {
  public:
    // Requires a routing.
    explicit PromiseGates(const ReplayContext& context);

    // Makes a copy use another context.
    void rebind(const ReplayContext& context) { jobs_ = &context.jobs; }

    // True if the job may start now.
    bool allows(JobId job) const {
        return limits_.allows(job, routing_->queue_of[job], jobs_->processors[job]);
    }

    // Adds a job that begins to wait. If it may start, take_allowed() returns it.
    void enter(JobId job, const JobRanking& ranking);
    // Removes a waiting job that is cancelled; returns true if it has a promise.
    bool leave(JobId job);

    void note_started(JobId job, const JobRanking& ranking);
    void note_ended(JobId job);

    // Appends the jobs that may start since the last call; they then have promises.
    void take_allowed(std::vector<JobId>& jobs);
    // Appends the jobs with promises that may no longer start; they then have none.
    void take_held_back(std::vector<JobId>& jobs);

    // True if take_allowed() would append only jobs of one owner, and limits treat all of them
    // alike, whatever their size.
    bool is_one_owner_allowed() const {
        return eased_.size() == 1 && limits_.has_one_scope() && limits_.are_by_owner();
    }

    // Requires is_one_owner_allowed(). Instead of take_allowed(), calls `promise(job)` for those
    // jobs in policy order, until enough of them are due now to fill the limit; `promise` returns
    // true if a job is due now. Returns true if some jobs are left without a promise.
    template <class Promise> JobId promise_until_filled(Promise&& promise) {
        const std::uint32_t line = eased_.front();
        std::int64_t room = is_limited(line) ? limits_.room_of(line) : kUnlimited;
        if (room > 0)
            for (const JobId job : waiting_[line]) {
                if (is_promised_[job] != 0) continue;
                if (room == 0) return job; // considered again once they have started
                is_promised_[job] = 1;
                --n_aside_;
                if (promise(job)) --room;
            }
        eased_.clear();
        return kNoJob;
    }

    // Number of jobs without a promise.
    std::size_t n_aside() const { return n_aside_; }

  private:
    static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

    // Position in waiting_ of the owner's jobs, or of the jobs that no limit counts.
    std::size_t line_of(JobId job) const;
    bool is_limited(std::uint32_t line) const { return line < limits_.n_owners(); }
    void note_changed(std::vector<std::uint32_t>& lines, JobId job);
    template <class Chosen>
    void take(std::vector<std::uint32_t>& lines, bool promised, std::vector<JobId>& jobs,
              Chosen&& chosen);

    const ReplayJobs* jobs_;
    std::shared_ptr<const Routing> routing_;
    OwnerLimits limits_;
    std::vector<std::vector<JobId>> waiting_; // by owner if limits have one scope; in policy order
    std::vector<std::uint8_t> is_promised_;   // indexed by job
    std::vector<std::uint32_t> eased_;        // positions in waiting_ since take_allowed()
    std::vector<std::uint32_t> filled_;       // positions in waiting_ since take_held_back()
    std::size_t n_aside_ = 0;
};

} // namespace slotwise
