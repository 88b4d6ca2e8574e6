// Classes of waiting jobs in the order of the queue: fixed ranks, linear scores, or the decayed
// usage of users.
//
// Example: user 1 has used more than user 2. Under `fairshare` first_open() returns the class of
// user 2, although its job came later. While that class is closed, first_open() returns the class
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

    // `has_limits`: the owner of a job matters.
    RankedClasses(const ReplayContext& context, bool has_limits);
    RankedClasses(const RankedClasses& other, const ReplayContext& context);

    // True if time alone may change which class is first.
    bool drifts() const { return ranks_.drifts(); }

    // Sets the instant of the searches that follow.
    void set_now(Time now) {
        if (users_) users_->set_now(now);
        if (scores_) scores_->set_now(now);
    }

    // True if the class that first_open() returned last is still the first open class, whatever
    // classes were opened since. False if that is not known. Sets the instant.
    bool keeps_first(Time now) {
        if (!drifts()) return true;
        set_now(now);
        return users_ ? users_->keeps_first(classes_) : scores_->keeps_first(classes_);
    }

    // True if the front of that class, `first`, is tried before a job that is not in a class yet.
    // Requires keeps_first() at the present instant.
    bool first_precedes(JobId first, JobId job) {
        if (users_) return users_->first_precedes(first, job);
        return scores_ ? scores_->first_precedes(job) : ranks_before(first, job);
    }

    const RequestClasses& classes() const { return classes_; }
    RequestClasses& classes() { return classes_; }

    // Adds a waiting job to a class of its kind: the same request, order and, if it matters, user;
    // and has_same_rules(last job, job). owner_of(job) gives the owner of a new class.
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

    // Removes and returns the front of a class. Another class may take its slot.
    JobId take(Slot slot);

    // Removes any waiting job, if it is in a class here.
    void remove(JobId job);

    // Records that the job takes processors, or returns them (negative).
    void note_change(JobId job, ProcCount processors) {
        if (users_) users_->note_change(jobs_->user(job), processors);
    }

    // Open class whose front is first; kNoSlot: none.
    Slot first_open() {
        tidy();
        if (!classes_.may_be_open()) return kNoSlot;
        if (users_) return users_->first(classes_);
        return scores_ ? scores_->first(classes_) : classes_.first();
    }

    // True if the front of an open class is within the bounds. Call this before searching with
    // first_within().
    bool any_within(const BackfillBounds& bounds) {
        return classes_.may_be_open() && classes_.pages().any_within(bounds);
    }

    // Same as first_open(), but only for classes within the bounds and not longer than `longest`.
    // The bounds lie within those of the last any_within().
    Slot first_within(const BackfillBounds& bounds, Duration longest) {
        if (bounds.free == 0) return kNoSlot;
        if (users_) return users_->first_within(classes_, bounds, longest);
        return scores_ ? scores_->first_within(classes_, bounds, longest)
                       : classes_.pages().first_within(bounds, longest);
    }

    // Same as first_open(), among the classes that satisfy wanted(slot), open or closed.
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
    // True if `one` is tried before `other`, at any time if ranks are fixed.
    bool ranks_before(JobId one, JobId other) const {
        return ranks_.rank_of(one) < ranks_.rank_of(other);
    }
    bool continues(JobId last, JobId job) const;
    std::uint32_t hash(JobId job) const;
    void tidy() {
        if (classes_.must_arrange() || classes_.must_regroup()) arrange();
    }
    void arrange();

    // True if the front of one class is tried before that of the other.
    bool precedes(Slot one, Slot other) {
        if (users_) return users_->precedes(classes_, one, other);
        return scores_ ? scores_->precedes(classes_, one, other)
                       : classes_.kind(one).rank < classes_.kind(other).rank;
    }

    const ReplayJobs* jobs_;
    OrderRanks ranks_;
    std::optional<FrontUsers> users_;   // if the order ranks users
    std::optional<FrontScores> scores_; // if each class has a score of its own, which grows
    bool has_limits_;
    RequestClasses classes_;
};

} // namespace slotwise
