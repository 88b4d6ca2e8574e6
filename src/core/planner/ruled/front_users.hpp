// Fronts of classes by the decayed usage of their users, least first; those of one user by rank.
//
// Example: user 1 has used more than user 2. The first class is one of user 2, although its job
// came later. While no job of theirs starts or ends, it is known until when user 2 comes first.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/user_order.hpp"
#include "planner/ruled/request_classes.hpp"
#include "planner/ruled/usage_ranking.hpp"
#include "planner/ruled/user_shares.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// `classes` are always the same ones, which log their changes and whose sections are users.
class FrontUsers {
  public:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    // `jobs` and `order` outlive this object.
    FrontUsers(const ReplayJobs& jobs, const UserOrder& order)
        : jobs_(&jobs), order_(&order), shares_(order.half_life()) {}

    // Makes a copy use other jobs and another order, which equal the previous ones.
    void rebind(const ReplayJobs& jobs, const UserOrder& order) {
        jobs_ = &jobs;
        order_ = &order;
    }

    std::uint32_t number_of(std::int32_t user) { return shares_.number_of(user); }
    void note_change(std::int32_t user, ProcCount processors) {
        shares_.note_change(user, processors);
    }

    // Adapts to another arrangement of the classes.
    void renew(const RequestClasses& classes);

    // Sets the instant of the searches that follow.
    void set_now(Time now) { shares_.set_now(*order_, *jobs_, now); }

    // Open class whose front is first; kNoSlot: none.
    Slot first(RequestClasses& classes);
    // The same among the classes within the bounds and not longer than `longest`.
    Slot first_within(RequestClasses& classes, const BackfillBounds& bounds, Duration longest);

    // True if the class that first() returned last is still the first open class, whatever classes
    // were opened since. False if that is not known.
    bool keeps_first(RequestClasses& classes);

    // True if the front of that class, `first`, precedes a job that is not in a class yet. Requires
    // keeps_first() at the present instant.
    bool first_precedes(JobId first, JobId job) {
        const int difference = shares_.compare(lead_.user, number_of(jobs_->user(job)));
        return difference != 0 ? difference < 0 : first < job;
    }

    // True if the front of one class precedes that of the other.
    bool precedes(const RequestClasses& classes, Slot one, Slot other) {
        const int difference = shares_.compare(classes.kind(one).user, classes.kind(other).user);
        return difference != 0 ? difference < 0 : classes.front(one) < classes.front(other);
    }

  private:
    // The user of the first open class at an instant, if classes are in sections. Once it is noted,
    // the user has used less than all others with open classes, until a time in
    // UserShares::elapsed().
    struct Lead {
        JobId front = kNoJob; // front of the first open class; kNoJob: not known
        std::uint32_t user = 0;
        bool is_noted = false;
        double until = 0; // the instant itself, until it is noted
    };

    template <class Visitor> void for_each_by_usage(const RequestClasses& classes, Visitor&& visit);
    Slot find_first(RequestClasses& classes);
    void follow_changes(RequestClasses& classes);
    void note_lead(RequestClasses& classes);
    void compare_lead(std::uint32_t user);
    bool is_lead_known() const { return lead_.front != kNoJob && shares_.elapsed() <= lead_.until; }

    const ReplayJobs* jobs_;
    const UserOrder* order_;
    UserShares shares_;
    Lead lead_;
    UsageRanking ranking_;                    // users with classes, if these are in sections
    std::vector<std::uint32_t> users_within_; // scratch
};

} // namespace slotwise
