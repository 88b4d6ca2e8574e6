// The waiting jobs under conservative backfilling with limits. A job that may not start because of
// a limit has no promise.
//
// Example with running_per_user 1: user 1 has three jobs. The first one starts, so the promises of
// the other two are withdrawn. Once the first one has ended, the other two are promised starts
// again, possibly at the same time.
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

    // Makes a copied object use the jobs of another context.
    void rebind(const ReplayContext& context) { jobs_ = &context.jobs; }

    bool allows(JobId job) const {
        return limits_.allows(job, routing_->queue_of[job], jobs_->processors[job]);
    }

    // Adds a job that begins to wait. If the limits allow it to start, the next call to
    // take_allowed() appends it.
    void enter(JobId job, const JobRanking& ranking);
    // Removes a waiting job that is cancelled; returns true if the job had a promise.
    bool leave(JobId job);

    void note_started(JobId job, const JobRanking& ranking);
    void note_ended(JobId job);

    // Appends the jobs that have become allowed to start since the last call. The caller must
    // promise them starts.
    void take_allowed(std::vector<JobId>& jobs);
    // Appends the jobs that the limits no longer allow to start. The caller must withdraw their
    // promises.
    void take_held_back(std::vector<JobId>& jobs);

    // Returns true if take_allowed() would append only jobs of one owner, and limits treat all jobs
    // of this owner alike, whatever their size.
    bool is_one_owner_allowed() const {
        return eased_.size() == 1 && limits_.has_one_scope() && limits_.are_by_owner();
    }

    // May be called instead of take_allowed(). Calls `promise(job)` for the jobs that
    // take_allowed() would append, in policy order; the call must return true if the job is due
    // now. Stops once enough jobs are due now for their owner to reach its limit. Returns the first
    // job that is left without a promise, or kNoJob if there is none. Requires
    // is_one_owner_allowed().
    template <class Promise> JobId promise_until_filled(Promise&& promise) {
        const std::uint32_t list = eased_.front();
        std::int64_t room = is_limited(list) ? limits_.room_of(list) : kUnlimited;
        if (room > 0)
            for (const JobId job : waiting_[list]) {
                if (is_promised_[job] != 0) continue;
                if (room == 0)
                    return job; // the other jobs are considered once the due jobs have started
                is_promised_[job] = 1;
                --n_aside_;
                if (promise(job)) --room;
            }
        eased_.clear();
        return kNoJob;
    }

    // Returns the number of jobs without a promise.
    std::size_t n_aside() const { return n_aside_; }

  private:
    static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

    // Returns the index in waiting_ of the list for this job.
    std::size_t list_of(JobId job) const;
    bool is_limited(std::uint32_t list) const { return list < limits_.n_owners(); }
    void note_changed(std::vector<std::uint32_t>& lists, JobId job);
    template <class Chosen>
    void take(std::vector<std::uint32_t>& lists, bool promised, std::vector<JobId>& jobs,
              Chosen&& chosen);

    const ReplayJobs* jobs_;
    std::shared_ptr<const Routing> routing_;
    OwnerLimits limits_;
    // Waiting jobs in policy order. If all limits have the same scope, each owner has a list;
    // otherwise all jobs are in a single list.
    std::vector<std::vector<JobId>> waiting_;
    std::vector<std::uint8_t> is_promised_; // indexed by job
    std::vector<std::uint32_t> eased_;      // indices of lists that take_allowed() must read
    std::vector<std::uint32_t> filled_;     // indices of lists that take_held_back() must read
    std::size_t n_aside_ = 0;
};

} // namespace slotwise
