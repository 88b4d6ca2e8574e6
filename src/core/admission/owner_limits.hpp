// Limits on running jobs and on processors in use, with one count per limit and owner. Other
// limits, and limits on named owners, are in eligibility.hpp.
//
// Example with running_per_user 2: user 1 runs two jobs, so the limit holds back all other jobs of
// user 1 until one of the two ends.
#pragma once

#include "admission/owner_numbers.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace slotwise {

class OwnerLimits {
  public:
    static constexpr std::uint32_t kUnknown = OwnerNumbers::kUnknown; // no limit applies

    OwnerLimits() = default; // no limits
    OwnerLimits(const Site& site, const ReplayJobs& jobs);

    bool any() const { return !bounds_.empty(); }

    // Returns true if the limits allow the job to start. `queue` and `processors` must be those of
    // the job.
    bool allows(JobId job, QueueId queue, ProcCount processors) const {
        return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
            return !bound.counts(queue) || bound.has_room(job, processors);
        });
    }

    // Returns true if all limits, except those that `lifted_when_idle` lifts, allow the job to
    // start.
    bool allows_when_lifted(JobId job, QueueId queue, ProcCount processors) const {
        return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
            return bound.is_lifted || !bound.counts(queue) || bound.has_room(job, processors);
        });
    }

    // Records that a job starts. Returns true if a limit may now hold back other jobs.
    bool count_start(JobId job, QueueId queue, ProcCount processors) {
        bool holds_back = false;
        for (Bound& bound : bounds_)
            if (const std::uint32_t owner = bound.owner(job);
                owner != kUnknown && bound.counts(queue)) {
                bound.used[owner] += bound.amount(processors);
                holds_back = holds_back || bound.may_hold_back(owner, knows_sizes_);
            }
        return holds_back;
    }

    // Records that a job has ended. Returns true if a limit may have held back other jobs until
    // now.
    bool count_end(JobId job, QueueId queue, ProcCount processors) {
        bool held_back = false;
        for (Bound& bound : bounds_)
            if (const std::uint32_t owner = bound.owner(job);
                owner != kUnknown && bound.counts(queue)) {
                held_back = held_back || bound.may_hold_back(owner, knows_sizes_);
                bound.used[owner] -= bound.amount(processors);
            }
        return held_back;
    }

    // Returns the largest number of processors with which another job of the same owners may start
    // in the same queue.
    ProcCount room_for(JobId job, QueueId queue) const {
        std::int64_t room = std::numeric_limits<ProcCount>::max();
        for (const Bound& bound : bounds_)
            if (bound.counts(queue)) room = std::min(room, bound.room(bound.owner(job)));
        return static_cast<ProcCount>(std::max<std::int64_t>(room, 0));
    }

    // note_size() records how many processors a job needs. After a call to note_sizes(), the limits
    // assume that no job needs more processors than the largest recorded job of its owner.
    void note_sizes() { knows_sizes_ = true; }
    void note_size(JobId job, ProcCount processors) {
        if (!counts_processors_) return;
        for (Bound& bound : bounds_)
            if (const std::uint32_t owner = bound.owner(job);
                bound.counts_processors && owner != kUnknown)
                bound.largest[owner] = std::max(bound.largest[owner], processors);
    }

    // The following functions return the number of scopes that have limits, the owner of a job in
    // each scope, and the number of owners.
    std::size_t n_scopes() const { return scopes_.size(); }
    std::uint32_t owner_in(std::size_t scope, JobId job) const { return scopes_[scope].owner(job); }
    std::size_t n_owners_in(std::size_t scope) const { return n_owners_[scope]; }
    bool has_limits_of_queues() const {
        return std::any_of(bounds_.begin(), bounds_.end(),
                           [](const Bound& bound) { return bound.queue != kNoQueue; });
    }

    // Returns true if all limits have the same scope. owner() then identifies the jobs that are
    // counted together.
    bool has_one_scope() const { return scopes_.size() == 1; }
    std::uint32_t owner(JobId job) const { return scopes_.front().owner(job); }

    // Returns true if allows() treats all jobs with the same owner() alike. Requires
    // has_one_scope().
    bool are_by_owner() const { return are_by_owner_; }

    // Returns how many further jobs of this owner may start. Requires are_by_owner().
    std::int64_t room_of(std::uint32_t owner) const {
        return bounds_.front().most - bounds_.front().used[owner];
    }
    std::size_t n_owners() const { return n_owners_.front(); } // in the only scope

    // Returns true if each limit counts the two jobs together, or counts neither of them. Requires
    // that there is only one queue.
    bool count_alike(JobId one, JobId other) const {
        return std::all_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
            return scope.owner(one) == scope.owner(other);
        });
    }

  private:
    struct Scope {
        LimitScope scope;
        // The number of each job's owner; null if all jobs have the same owner.
        std::shared_ptr<const std::vector<std::uint32_t>> numbers;

        std::uint32_t owner(JobId job) const { return numbers ? (*numbers)[job] : 0; }
    };
    struct Bound {
        std::int64_t most;
        bool counts_processors; // true: limit on processors; false: on jobs
        bool is_lifted;         // true: the limit is ignored while no eligible job waits
        QueueId queue;          // kNoQueue for a limit of the site, which applies to all queues
        const std::uint32_t* numbers;   // for each job, the number of its owner
        std::vector<std::int64_t> used; // one element per owner
        std::vector<ProcCount>
            largest; // largest recorded size for each owner, if the limit counts processors

        bool counts(QueueId its_queue) const { return queue == kNoQueue || queue == its_queue; }
        std::uint32_t owner(JobId job) const { return numbers != nullptr ? numbers[job] : 0; }
        std::int64_t amount(ProcCount processors) const {
            return counts_processors ? processors : 1;
        }
        bool has_room(JobId job, ProcCount processors) const {
            const std::uint32_t its_owner = owner(job);
            return its_owner == kUnknown || used[its_owner] + amount(processors) <= most;
        }
        std::int64_t room(std::uint32_t its_owner) const {
            constexpr std::int64_t kAny = std::numeric_limits<ProcCount>::max();
            if (its_owner == kUnknown) return kAny;
            const std::int64_t left = most - used[its_owner];
            return counts_processors || left <= 0 ? left : kAny;
        }
        // Returns true if this limit may hold back a job of the owner. A limit on processors may
        // hold back a large job even before the limit is reached.
        bool may_hold_back(std::uint32_t its_owner, bool knows_sizes) const {
            if (!counts_processors) return used[its_owner] >= most;
            return !knows_sizes || used[its_owner] + largest[its_owner] > most;
        }
    };

    void add(const Limits& limits, QueueId queue, const ReplayJobs& jobs);
    std::size_t add_scope(LimitScope scope, const ReplayJobs& jobs);

    std::vector<Scope> scopes_;
    std::vector<std::size_t> n_owners_; // number of owners in each scope
    std::vector<Bound> bounds_;
    bool are_by_owner_ = true;
    bool counts_processors_ = false; // true if any limit counts processors
    bool knows_sizes_ = false;
};

} // namespace slotwise
