// Limits on running jobs and on processors in use, with one count per limit and owner. Other
// limits, and limits on named owners, are in eligibility.hpp.
//
// Example, running_per_user 2: user 1 runs two jobs, so the limit holds back all other jobs of user
// 1 until one ends.
#pragma once

#include "admission/owner_numbers.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

class OwnerLimits {
  public:
    static constexpr std::uint32_t kUnknown = OwnerNumbers::kUnknown; // no limit applies

    OwnerLimits() = default; // no limits
    OwnerLimits(const Site& site, const ReplayJobs& jobs);

    bool any() const { return !bounds_.empty(); }

    // True if another job may start. `queue` and `processors` are those of the job.
    bool allows(JobId job, QueueId queue, ProcCount processors) const {
        return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
            return !bound.counts(queue) || bound.has_room(job, processors);
        });
    }

    // Same as allows(), without the limits that `lifted_when_idle` lifts.
    bool allows_when_lifted(JobId job, QueueId queue, ProcCount processors) const {
        return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
            return bound.is_lifted || !bound.counts(queue) || bound.has_room(job, processors);
        });
    }

    // Counts a job that starts; returns true if a limit may now hold back other jobs.
    bool count_start(JobId job, QueueId queue, ProcCount processors) {
        bool holds_back = false;
        for (Bound& bound : bounds_)
            if (const std::uint32_t owner = bound.owner(job);
                owner != kUnknown && bound.counts(queue)) {
                bound.used[owner] += bound.amount(processors);
                holds_back = holds_back || bound.may_hold_back(owner);
            }
        return holds_back;
    }

    // Counts a job that has ended; returns true if a limit may have held back other jobs.
    bool count_end(JobId job, QueueId queue, ProcCount processors) {
        bool held_back = false;
        for (Bound& bound : bounds_)
            if (const std::uint32_t owner = bound.owner(job);
                owner != kUnknown && bound.counts(queue)) {
                held_back = held_back || bound.may_hold_back(owner);
                bound.used[owner] -= bound.amount(processors);
            }
        return held_back;
    }

    // True if all limits have one scope, so that owner() identifies the jobs that share them.
    bool has_one_scope() const { return scopes_.size() == 1; }
    std::uint32_t owner(JobId job) const { return scopes_.front().owner(job); }

    // True if allows() is the same for all jobs of one owner(). Requires has_one_scope().
    bool are_by_owner() const { return are_by_owner_; }

    // Number of jobs of this owner that may start. Requires are_by_owner().
    std::int64_t room_of(std::uint32_t owner) const {
        return bounds_.front().most - bounds_.front().used[owner];
    }
    std::size_t n_owners() const { return n_owners_.front(); } // in the only scope

    // True if some limit counts both jobs, whatever their queues.
    bool share_some(JobId one, JobId other) const {
        return std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
            return scope.owner(one) != kUnknown && scope.owner(one) == scope.owner(other);
        });
    }

    // True if every limit counts both jobs together, or neither. Requires one queue.
    bool count_alike(JobId one, JobId other) const {
        return std::all_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
            return scope.owner(one) == scope.owner(other);
        });
    }

  private:
    struct Scope {
        LimitScope scope;
        // One number per job; null if all jobs have one owner.
        std::shared_ptr<const std::vector<std::uint32_t>> numbers;

        std::uint32_t owner(JobId job) const { return numbers ? (*numbers)[job] : 0; }
    };
    struct Bound {
        std::int64_t most;
        bool counts_processors;         // false: counts jobs
        bool is_lifted;                 // does not apply while no eligible job waits
        QueueId queue;                  // kNoQueue: a limit of the site, for all queues
        const std::uint32_t* numbers;   // owner numbers in its scope
        std::vector<std::int64_t> used; // one per owner

        bool counts(QueueId its_queue) const { return queue == kNoQueue || queue == its_queue; }
        std::uint32_t owner(JobId job) const { return numbers != nullptr ? numbers[job] : 0; }
        std::int64_t amount(ProcCount processors) const {
            return counts_processors ? processors : 1;
        }
        bool has_room(JobId job, ProcCount processors) const {
            const std::uint32_t its_owner = owner(job);
            return its_owner == kUnknown || used[its_owner] + amount(processors) <= most;
        }
        // A limit on processors may hold back a large job before the limit is reached.
        bool may_hold_back(std::uint32_t its_owner) const {
            return counts_processors || used[its_owner] >= most;
        }
    };

    void add(const Limits& limits, QueueId queue, const ReplayJobs& jobs);
    std::size_t add_scope(LimitScope scope, const ReplayJobs& jobs);

    std::vector<Scope> scopes_;
    std::vector<std::size_t> n_owners_; // one per position in scopes_
    std::vector<Bound> bounds_;
    bool are_by_owner_ = true;
};

} // namespace slotwise
