// Classes of waiting jobs in the order of the queue: fixed ranks, linear scores, or the decayed
// usage of users.
//
// Example: user 1 has used more than user 2. Under `fairshare` first_open() returns the class of
// user 2, although its job came later. While that class is closed, first_open() returns the class
// of user 1.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/user_order.hpp"
#include "planner/ruled/front_lines.hpp"
#include "planner/ruled/request_classes.hpp"
#include "planner/ruled/user_shares.hpp"
#include "queue/order_ranks.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <cmath>
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

    // True if the class that first_open() returned last is still the first open class, whatever
    // classes were opened since. False if that is not known.
    bool keeps_first(Time now);

    // True if the front of that class is tried before a job that is not in a class yet. Requires
    // keeps_first() at the present instant.
    bool first_precedes(JobId first, JobId job) const {
        return has_scores() ? lines_.is_above(lead_.slot, job, ranks_.order(), *jobs_)
                            : ranks_before(first, job);
    }

    const RequestClasses& classes() const { return classes_; }
    RequestClasses& classes() { return classes_; }

    // Adds a waiting job to a class of its kind: the same request, order and, if it matters, user;
    // and has_same_rules(last job, job). Returns the slot of a class that it opens, or kNoSlot.
    // Jobs of one class have the same `owner`.
    template <class HasSameRules>
    Slot put(JobId job, std::uint32_t owner, HasSameRules&& has_same_rules) {
        const RequestClasses::Entry entry{job,         ranks_.rank_of(job), processors(job),
                                          length(job), hash(job),           number_of_user(job),
                                          owner};
        const Slot slot = classes_.put(
            entry, [&](JobId last) { return continues(last, job) && has_same_rules(last, job); });
        if (slot != kNoSlot && has_scores()) set_line(slot);
        return slot;
    }

    // Removes and returns the front of a class. Another class may take its slot.
    JobId take(Slot slot);

    // Removes any waiting job, if it is in a class here.
    void remove(JobId job);

    // Records that the job takes processors, or returns them (negative).
    void note_change(JobId job, ProcCount change) {
        if (shares_) shares_->note_change(jobs_->user(job), change);
    }

    // Sets the instant of the searches that follow.
    void set_now(Time now);

    // Open class whose front is first; kNoSlot: none.
    Slot first_open();

    // True if the front of an open class is within the bounds. Call this before searching with
    // first_within().
    bool any_within(const BackfillBounds& bounds) {
        from_group_ = classes_.first_group(bounds);
        return from_group_ < classes_.size();
    }

    // Same as first_open(), but only for classes within the bounds and not longer than `longest`.
    // The bounds lie within those of the last any_within().
    Slot first_within(const BackfillBounds& bounds, Duration longest);

    // Same, among the classes that satisfy wanted(slot), open or closed.
    template <class Wanted> Slot first_of(Wanted&& wanted) {
        return first_among([&](auto&& visit) {
            for (Slot slot = 0; slot < classes_.size(); ++slot)
                visit(slot, wanted);
        });
    }

  private:
    ProcCount processors(JobId job) const { return jobs_->processors[job]; }
    Duration length(JobId job) const { return jobs_->requested_time[job]; }
    std::uint32_t number_of_user(JobId job) {
        return shares_ ? shares_->number_of(jobs_->user(job)) : 0;
    }
    // True if `one` is tried before `other`, at any time if ranks are fixed.
    bool ranks_before(JobId one, JobId other) const {
        return ranks_.rank_of(one) < ranks_.rank_of(other);
    }
    bool continues(JobId last, JobId job) const;
    std::uint32_t hash(JobId job) const;

    // True if each class has a score of its own, which moves with time.
    bool has_scores() const { return drifts() && users_ == nullptr; }
    void set_line(Slot slot) { lines_.set(slot, classes_.front(slot), ranks_.order(), *jobs_); }

    // First class that passes its test. for_each(visit) calls visit(slot, wanted) for each
    // candidate.
    template <class ForEach> Slot first_among(ForEach&& for_each) {
        if (!drifts()) return first_by<&RankedClasses::precedes_by_rank>(for_each);
        if (shares_) return first_by<&RankedClasses::precedes_by_user>(for_each);
        return first_by<&RankedClasses::precedes_by_line>(for_each);
    }
    template <auto kPrecedes, class ForEach> Slot first_by(ForEach&& for_each) {
        Slot found = kNoSlot;
        for_each([&](Slot slot, auto&& wanted) {
            if ((found == kNoSlot || (this->*kPrecedes)(slot, found)) && wanted(slot)) found = slot;
        });
        return found;
    }

    Slot first_open_by_user();
    Slot first_open_by_line();
    bool still_leads();
    void note_lead(Slot slot);

    // The open class whose line is above all others by more than `doubt`, until a time in seconds
    // of the lines. Classes in the log of changes are not compared yet.
    struct Lead {
        Slot slot = kNoSlot; // kNoSlot: not known
        double until = 0;
        double doubt = 0;
    };

    // True if the front of one class is tried before that of the other.
    bool precedes_by_rank(Slot one, Slot other) {
        return classes_.rank(one) < classes_.rank(other);
    }
    bool precedes_by_user(Slot one, Slot other) {
        const int difference = shares_->compare(classes_.user(one), classes_.user(other));
        return difference != 0 ? difference < 0 : classes_.front(one) < classes_.front(other);
    }
    bool precedes_by_line(Slot one, Slot other) {
        const double lead = lines_.value(one) - lines_.value(other);
        if (std::abs(lead) > lines_.doubt()) return lead > 0;
        return precedes_by_score(classes_.front(one), classes_.front(other));
    }
    bool precedes_by_score(JobId one, JobId other) const;

    const ReplayJobs* jobs_;
    OrderRanks ranks_;
    const UserOrder* users_; // the order, if it ranks users; otherwise null
    std::optional<UserShares> shares_;
    bool has_limits_;
    RequestClasses classes_;
    FrontLines lines_; // used if has_scores()
    Lead lead_;        // used if has_scores()
    Time now_ = 0;
    Slot from_group_ = 0; // start of first_within(): no earlier class is within the bounds
};

} // namespace slotwise
