// Compares class fronts by the decayed usage of their users, with the smallest usage first. Fronts
// of the same user are compared by rank.
//
// Example: user 1 has used more than user 2. The first class is therefore one of user 2, even if
// its job arrived later. The time until which user 2 comes first can be computed, provided that no
// job of either user starts or ends before then.
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

// All calls must pass the same `classes`, which must log its changes. Each section of `classes`
// must hold the classes of a single user.
class FrontUsers {
  public:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    // Requires that `jobs` and `order` outlive this object.
    FrontUsers(const ReplayJobs& jobs, const UserOrder& order)
        : jobs_(&jobs), order_(&order), shares_(order.half_life()) {}

    // Makes a copied object use `jobs` and `order`, which must be copies of the previous ones.
    void rebind(const ReplayJobs& jobs, const UserOrder& order) {
        jobs_ = &jobs;
        order_ = &order;
    }

    std::uint32_t number_of(std::int32_t user) { return shares_.number_of(user); }
    void note_change(std::int32_t user, ProcCount processors) {
        shares_.note_change(user, processors);
    }

    // Updates this object after classes have been moved to other pages.
    void renew(const RequestClasses& classes);

    void set_now(Time now) { shares_.set_now(*order_, *jobs_, now); }

    // Returns the open class whose front comes first, or kNoSlot if no class is open.
    Slot first(RequestClasses& classes);
    // Returns the same as first(), but considers only classes within the bounds and not longer than
    // `longest`.
    Slot first_within(RequestClasses& classes, const BackfillBounds& bounds, Duration longest);

    // Returns true if the class most recently returned by first() is certainly still the first open
    // class, even if other classes have been opened since.
    bool keeps_first(RequestClasses& classes);

    // Returns true if `job`, which is not in any class yet, comes after `first`, the front job of
    // the class most recently returned by first(). Requires that keeps_first() has returned true
    // at the same instant.
    bool first_precedes(JobId first, JobId job) {
        const int difference = shares_.compare(lead_.user, number_of(jobs_->user(job)));
        return difference != 0 ? difference < 0 : first < job;
    }

    // Returns true if the front of the class in slot `one` precedes the front of the class in slot
    // `other`.
    bool precedes(const RequestClasses& classes, Slot one, Slot other) {
        const int difference = shares_.compare(classes.kind(one).user, classes.kind(other).user);
        return difference != 0 ? difference < 0 : classes.front(one) < classes.front(other);
    }

  private:
    // The user of the first open class at some instant; used only if classes are in sections. Once
    // is_noted is true, this user has used less than any other user with open classes until
    // UserShares::elapsed() reaches `until`.
    struct Lead {
        JobId front = kNoJob; // front of the first open class; kNoJob: unknown
        std::uint32_t user = 0;
        bool is_noted = false;
        double until = 0; // end of the lead if is_noted is true, otherwise the time of the search
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
    UsageRanking ranking_; // users with classes; used only if classes are in sections
    std::vector<std::uint32_t> users_within_; // scratch memory
};

} // namespace slotwise
