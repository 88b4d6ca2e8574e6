#include "planner/ruled/class_gates.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

ClassGates::ClassGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing) {
    if (!routing_) return;
    const Site& site = context.site;
    limits_ = OwnerLimits(site, context.jobs);
    lifts_ = site.limits.lifted_when_idle;
    if (std::all_of(site.queues.begin(), site.queues.end(),
                    [](const Queue& queue) { return queue.hours.empty(); }))
        return;
    for (const Queue& queue : site.queues)
        hours_.push_back({OpeningHours(queue.hours, site.midnight)});
    hours_change_ = std::numeric_limits<Time>::min();
}

ClassGates::ClassGates(const ClassGates& other, const ReplayContext& context) : ClassGates(other) {
    jobs_ = &context.jobs;
}

// Updates the classes of the owners of `job`, because a limit may have opened or closed them.
void ClassGates::refresh_owners_of(JobId job, bool opens, RequestClasses& classes) {
    if (!limits_.has_one_scope()) {
        for (std::size_t slot = 0; slot < classes.size(); ++slot)
            if (classes.is_open(slot) != opens && limits_.share_some(classes.front(slot), job))
                classes.set_open(slot, allows(classes.front(slot)));
        return;
    }
    const std::uint32_t owner = owner_of(job);
    if (owner == OwnerLimits::kUnknown) return;
    if (limits_.are_by_owner() && hours_.empty()) {
        if (allows(job) == opens)
            classes.for_each_of(owner, [&](std::size_t slot) { classes.set_open(slot, opens); });
        return;
    }
    classes.for_each_of(owner, [&](std::size_t slot) {
        if (classes.is_open(slot) != opens) classes.set_open(slot, allows(classes.front(slot)));
    });
}

bool ClassGates::change_hours(Time now, RequestClasses& classes) {
    hours_change_ = kNever;
    for (Hours& queue : hours_) {
        if (queue.hours.always()) continue;
        queue.is_open = queue.hours.is_open(now);
        queue.opening = queue.hours.next_opening(now);
        hours_change_ = std::min({hours_change_, queue.opening, queue.hours.next_closing(now)});
    }
    for (std::size_t slot = 0; slot < classes.size(); ++slot)
        classes.set_open(slot, allows(classes.front(slot)));
    return true;
}

} // namespace slotwise
