// Running jobs counted under one set of limits, and the check of one more job.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Owner of a job, numbered densely.
struct Owner {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFFU; // not limited

    std::uint32_t user = kUnknown;
    std::uint32_t group = kUnknown;
};

class LimitCounts {
  public:
    LimitCounts(const Limits& limits, std::size_t n_users, std::size_t n_groups);

    bool fits_now(Owner owner, ProcCount processors) const {
        return has_room_in_all(processors) && has_room_of_owner(owner, processors);
    }

    // True if the limits on all jobs together allow the job.
    bool has_room_in_all(ProcCount processors) const {
        return all_.fits_now(running_, processors_, processors);
    }
    // True if the limits on one user or group allow the job.
    bool has_room_of_owner(Owner owner, ProcCount processors) const {
        return (!per_user_.any() || owner.user == Owner::kUnknown ||
                per_user_.fits_now(users_[owner.user], processors)) &&
               (!per_group_.any() || owner.group == Owner::kUnknown ||
                per_group_.fits_now(groups_[owner.group], processors));
    }

    bool any() const {
        return all_.any() || per_user_.any() || per_group_.any() || queued_per_user_ != kNoLimit;
    }

    // True if the end of a job may let another start.
    bool may_ease(Owner owner) const;

    // Counts a job that starts (sign 1) or has ended (−1).
    void count(Owner owner, ProcCount processors, int sign);

    // True if `job` is one of the first waiting jobs of its user, which a pass may look at.
    bool is_within_queued(Owner owner, JobId job) const {
        return queued_per_user_ == kNoLimit || owner.user == Owner::kUnknown ||
               is_among_first(waiting_[owner.user], job);
    }
    void add_waiting(Owner owner, JobId job);
    void remove_waiting(Owner owner, JobId job);

  private:
    struct Count {
        std::int64_t running = 0;
        std::int64_t processors = 0;
    };
    struct Bound {
        std::int64_t running = kNoLimit;
        std::int64_t processors = kNoLimit;

        // A limit of processors may block a large job before it is full.
        bool holds_back(std::int64_t running_now) const {
            return (running != kNoLimit && running_now >= running) || processors != kNoLimit;
        }
        bool any() const { return running != kNoLimit || processors != kNoLimit; }
        bool fits_now(std::int64_t running_now, std::int64_t processors_now, ProcCount more) const {
            return (running == kNoLimit || running_now < running) &&
                   (processors == kNoLimit || processors_now + more <= processors);
        }
        bool fits_now(const Count& now, ProcCount more) const {
            return fits_now(now.running, now.processors, more);
        }
    };

    bool is_among_first(const std::vector<JobId>& waiting, JobId job) const;

    Bound all_;
    Bound per_user_;
    Bound per_group_;
    std::int64_t queued_per_user_;
    std::int64_t running_ = 0;
    std::int64_t processors_ = 0;
    std::vector<Count> users_;                // if limited, by user
    std::vector<Count> groups_;               // by group
    std::vector<std::vector<JobId>> waiting_; // by user, ascending; kept with queued_per_user
};

} // namespace slotwise
