// Classes of waiting jobs in the order of the queue. The order may use fixed ranks, linear scores,
// or the decayed usage of users.
//
// Example: user 1 has used more than user 2. Under `fairshare`, first_open() returns the class of
// user 2, even if its job arrived later. While that class is closed, first_open() returns the class
// of user 1.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/user_order.hpp"
#include "planner/ruled/front_scores.hpp"
#include "planner/ruled/front_users.hpp"
#include "planner/ruled/request_classes.hpp"
#include "queue/order_ranks.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <cstdint>
#include <optional>

namespace slotwise {

class RankedClasses {
  public:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    // If `has_limits` is true, jobs of different owners need different classes.
    RankedClasses(const ReplayContext& context, bool has_limits);
    RankedClasses(const RankedClasses& other, const ReplayContext& context);

    // Returns true if the first class may change simply because time passes.
    bool drifts() const { return ranks_.drifts(); }

    // Sets the current time for the searches that follow.
    void set_now(Time now) {
        if (users_) users_->set_now(now);
        if (scores_) scores_->set_now(now);
    }

    // Sets the current time. Returns true if the class most recently returned by first_open() is
    // certainly still the first open class, even though others may have been opened since.
    bool keeps_first(Time now) {
        if (!drifts()) return true;
        set_now(now);
        return users_ ? users_->keeps_first(classes_) : scores_->keeps_first(classes_);
    }

    // Returns true if `first`, the front of the class most recently returned by first_open(), is
    // tried before `job`, which is not in any class yet. Requires that keeps_first() has returned
    // true at the same instant.
    bool first_precedes(JobId first, JobId job) {
        if (users_) return users_->first_precedes(first, job);
        return scores_ ? scores_->first_precedes(job) : ranks_before(first, job);
    }

    const RequestClasses& classes() const { return classes_; }
    RequestClasses& classes() { return classes_; }

    // Adds a waiting job to the end of a class. The last job of the class must precede the new one
    // in order, and must have the same request. If the order ranks users, both jobs must have the
    // same user. Finally, has_same_rules(last job, job) must return true. If no such class is
    // found, a new one is created, and its owner is owner_of(job).
    template <class HasSameRules, class OwnerOf>
    void put(JobId job, HasSameRules&& has_same_rules, OwnerOf&& owner_of) {
        const RequestClasses::Entry entry{job,         ranks_.rank_of(job), processors(job),
                                          length(job), hash(job),           number_of_user(job)};
        tidy();
        const Slot slot = classes_.put(
            entry, [&](JobId last) { return continues(last, job) && has_same_rules(last, job); },
            owner_of);
        if (slot != kNoSlot && scores_) scores_->set_front(classes_, slot);
    }

    // Removes the front of a class, and returns it. Another class may then move into this slot.
    JobId take(Slot slot);

    // Removes a waiting job, which need not be a front. Does nothing if no class contains the job.
    void remove(JobId job);

    // Records that the number of processors that the job occupies has changed by `processors`,
    // which may be negative.
    void note_change(JobId job, ProcCount processors) {
        if (users_) users_->note_change(jobs_->user(job), processors);
    }

    // Returns the open class whose front comes first, or kNoSlot if no class is open.
    Slot first_open() {
        tidy();
        if (!classes_.may_be_open()) return kNoSlot;
        if (users_) return users_->first(classes_);
        return scores_ ? scores_->first(classes_) : classes_.first();
    }

    // Returns true if the front of any open class is within the bounds. Must be called before
    // first_within().
    bool any_within(const BackfillBounds& bounds) {
        return classes_.may_be_open() && classes_.pages().any_within(bounds);
    }

    // Returns the same as first_open(), but considers only classes within the bounds and not longer
    // than `longest`. The bounds must not be wider than those of the last any_within().
    Slot first_within(const BackfillBounds& bounds, Duration longest) {
        if (bounds.free == 0) return kNoSlot;
        if (users_) return users_->first_within(classes_, bounds, longest);
        return scores_ ? scores_->first_within(classes_, bounds, longest)
                       : classes_.pages().first_within(bounds, longest);
    }

    // Returns the same as first_open(), but considers only classes for which wanted(slot) returns
    // true, including closed ones.
    template <class Wanted> Slot first_of(Wanted&& wanted) {
        Slot found = kNoSlot;
        classes_.for_each([&](Slot slot) {
            if ((found == kNoSlot || precedes(slot, found)) && wanted(slot)) found = slot;
        });
        return found;
    }

  private:
    ProcCount processors(JobId job) const { return jobs_->processors[job]; }
    Duration length(JobId job) const { return jobs_->requested_time[job]; }
    std::uint32_t number_of_user(JobId job) {
        return users_ ? users_->number_of(jobs_->user(job)) : 0;
    }
    // Returns true if `one` is tried before `other`. If ranks are fixed, the result never changes.
    bool ranks_before(JobId one, JobId other) const {
        return ranks_.rank_of(one) < ranks_.rank_of(other);
    }
    bool continues(JobId last, JobId job) const;
    std::uint32_t hash(JobId job) const;
    void tidy() {
        if (classes_.must_arrange() || classes_.must_regroup()) arrange();
    }
    void arrange();

    // Returns true if the front of the class in slot `one` is tried before the front of the class
    // in slot `other`.
    bool precedes(Slot one, Slot other) {
        if (users_) return users_->precedes(classes_, one, other);
        return scores_ ? scores_->precedes(classes_, one, other)
                       : classes_.kind(one).rank < classes_.kind(other).rank;
    }

    const ReplayJobs* jobs_;
    OrderRanks ranks_;
    std::optional<FrontUsers> users_; // set if the order ranks users
    // Set if the order has linear scores.
    std::optional<FrontScores> scores_;
    bool has_limits_;
    RequestClasses classes_;
};

} // namespace slotwise
