// Fronts of classes by linear scores: by their lines, or by the scores themselves where two lines
// are close.
//
// Example: the first class is at 30 and grows by 1 per second, another is at 10 and grows by 3. The
// first class leads for 10 seconds. Until then, a search for it reads only the classes that were
// opened since.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/order.hpp"
#include "planner/ruled/front_lines.hpp"
#include "planner/ruled/request_classes.hpp"
#include "types.hpp"

#include <cmath>
#include <limits>

namespace slotwise {

// `classes` are always the same ones, which log their changes.
class FrontScores {
  public:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    // `order` has linear scores; `jobs` and `order` outlive this object.
    FrontScores(const ReplayJobs& jobs, const Order& order) : jobs_(&jobs), order_(&order) {}

    // Makes a copy use other jobs and another order, which equal the previous ones.
    void rebind(const ReplayJobs& jobs, const Order& order) {
        jobs_ = &jobs;
        order_ = &order;
    }

    // Sets the instant of the searches that follow.
    void set_now(Time now) {
        now_ = now;
        lines_.set_now(*jobs_, now);
    }

    // Updates the line of a class that has a new front.
    void set_front(const RequestClasses& classes, Slot slot);
    // Updates the lines after the class in `slot` has ended, and another one has moved into it.
    void note_ended(const RequestClasses& classes, Slot slot);
    // Copies the line of a class that has moved to another slot.
    void note_moved(const RequestClasses& classes, Slot from, Slot to);
    // Computes all lines again.
    void renew(const RequestClasses& classes);

    // Open class whose front has the highest score; kNoSlot: none.
    Slot first(RequestClasses& classes);
    // The same among the classes within the bounds and not longer than `longest`.
    Slot first_within(RequestClasses& classes, const BackfillBounds& bounds, Duration longest);

    // True if the class that first() returned last is still the first open class, whatever classes
    // were opened since. False if that is not known.
    bool keeps_first(RequestClasses& classes);

    // True if the front of that class precedes a job that is not in a class yet. Requires
    // keeps_first() at the present instant.
    bool first_precedes(JobId job) const {
        return lines_.is_above(lead_.slot, job, *order_, *jobs_);
    }

    // True if the front of one class precedes that of the other.
    bool precedes(const RequestClasses& classes, Slot one, Slot other) const {
        const double lead = lines_.value(one) - lines_.value(other);
        if (std::abs(lead) > lines_.doubt()) return lead > 0;
        return precedes_by_score(classes.front(one), classes.front(other));
    }

  private:
    // The first open class at an instant. Once it is noted, its line is above all others by more
    // than `doubt`, until a time in seconds of the lines.
    struct Lead {
        Slot slot = kNoSlot; // kNoSlot: not known
        bool is_noted = false;
        double until = 0; // the instant itself, until it is noted
        double doubt = 0;
    };

    struct Best {
        Slot slot = kNoSlot;
        double least = -std::numeric_limits<double>::infinity(); // a class below it is not better
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
