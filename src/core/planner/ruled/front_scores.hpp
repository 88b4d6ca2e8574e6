// Compares the fronts of classes under an order with linear scores. Two fronts are compared by
// their score lines or, if the lines are close to each other, by the scores themselves.
//
// Example: the score of the first class is 30 and grows by 1 per second. The score of another class
// is 10 and grows by 3 per second. The first class therefore leads for 10 seconds. During this
// time, a search for the first class reads only classes that have been opened since.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/order.hpp"
#include "planner/ruled/front_lines.hpp"
#include "planner/ruled/request_classes.hpp"
#include "types.hpp"

#include <cmath>
#include <limits>

namespace slotwise {

// All functions must be called with the same `classes`, which must log its changes.
class FrontScores {
  public:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    // Requires that `order` has linear scores, and that `jobs` and `order` outlive this object.
    FrontScores(const ReplayJobs& jobs, const Order& order) : jobs_(&jobs), order_(&order) {}

    // Makes a copied object use `jobs` and `order`, which must be copies of the previous ones.
    void rebind(const ReplayJobs& jobs, const Order& order) {
        jobs_ = &jobs;
        order_ = &order;
    }

    void set_now(Time now) {
        now_ = now;
        lines_.set_now(*jobs_, now);
    }

    void set_front(const RequestClasses& classes, Slot slot);
    // Updates the lines after the class in `slot` has ended and, possibly, another class has moved
    // into this slot.
    void note_ended(const RequestClasses& classes, Slot slot);
    void note_moved(const RequestClasses& classes, Slot from, Slot to);
    // Computes all lines again.
    void renew(const RequestClasses& classes);

    // Returns the open class whose front has the highest score, or kNoSlot if no class is open.
    Slot first(RequestClasses& classes);
    // Returns the same as first(), but considers only classes within the bounds and not longer than
    // `longest`.
    Slot first_within(RequestClasses& classes, const BackfillBounds& bounds, Duration longest);

    // Returns true if the class most recently returned by first() is certainly still the first open
    // class, even if other classes have been opened since.
    bool keeps_first(RequestClasses& classes);

    // Returns true if the front of the class most recently returned by first() precedes `job`,
    // which is not in any class yet. Requires that keeps_first() has returned true at the same
    // instant.
    bool first_precedes(JobId job) const {
        return lines_.is_above(lead_.slot, job, *order_, *jobs_);
    }

    // Returns true if the front of the class in slot `one` precedes the front of the class in slot
    // `other`.
    bool precedes(const RequestClasses& classes, Slot one, Slot other) const {
        const double lead = lines_.value(one) - lines_.value(other);
        if (std::abs(lead) > lines_.doubt()) return lead > 0;
        return precedes_by_score(classes.front(one), classes.front(other));
    }

  private:
    // The first open class at some instant. If is_noted is true, the line of this class remains
    // above all other lines by more than `doubt` until lines_.seconds() reaches `until`.
    struct Lead {
        Slot slot = kNoSlot; // kNoSlot if unknown
        bool is_noted = false;
        double until = 0; // end of the lead if is_noted is true, otherwise the time of the search
        double doubt = 0;
    };

    struct Best {
        Slot slot = kNoSlot;
        // No class whose line is below this value can be better than the class in `slot`.
        double least = -std::numeric_limits<double>::infinity();
    };

    bool precedes_by_score(JobId one, JobId other) const;
    bool compare(const RequestClasses& classes, ClassPages::PageNumber page, unsigned bits,
                 Duration longest, Best& best);
    void follow_changes(RequestClasses& classes);
    template <class Until> void shorten_lead(double highest, Until&& until);
    bool is_lead_known(const RequestClasses& classes) const;
    void note_lead(const RequestClasses& classes);

    const ReplayJobs* jobs_;
    const Order* order_;
    FrontLines lines_;
    Lead lead_;
    Time now_ = 0;
};

} // namespace slotwise
