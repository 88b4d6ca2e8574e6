#include "planner/ruled/class_gates.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

ClassGates::ClassGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing) {
    if (!routing_) return;
    eligibility_.emplace(context.site, context.jobs, *routing_);
    lifts_ = context.site.limits.lifted_when_idle;
    const auto& limited = eligibility_->limited_scopes();
    has_one_scope_ = std::count(limited.begin(), limited.end(), true) == 1;
    scope_ =
        static_cast<std::size_t>(std::find(limited.begin(), limited.end(), true) - limited.begin());
    if (!eligibility_->has_hours()) return;
    opening_.resize(context.site.queues.size(), kNever);
    hours_change_ = std::numeric_limits<Time>::min();
}

ClassGates::ClassGates(const ClassGates& other, const ReplayContext& context)
    : jobs_(&context.jobs), routing_(other.routing_), lifts_(other.lifts_),
      eligibility_(other.eligibility_), has_one_scope_(other.has_one_scope_), scope_(other.scope_),
      opening_(other.opening_), hours_change_(other.hours_change_) {}

void ClassGates::note_started(JobId job, Time now, RequestClasses& classes) {
    if (!eligibility_) return;
    const QueueId queue = queue_of(job);
    eligibility_->note_started(job, queue, processors(job));
    if (has_limits() && eligibility_->may_hold_back(job, queue))
        refresh_owners_of(job, false, now, classes);
}

void ClassGates::note_ended(JobId job, Time now, RequestClasses& classes) {
    if (has_limits() && eligibility_->note_stopped(job, queue_of(job), processors(job)))
        refresh_owners_of(job, true, now, classes);
}

// A limit of the owners of `job` may have opened or closed their classes.
void ClassGates::refresh_owners_of(JobId job, bool opens, Time now, RequestClasses& classes) {
    const auto refresh = [&](std::size_t slot) {
        if (classes.is_open(slot) != opens)
            classes.set_open(slot, allows(classes.front(slot), now));
    };
    if (has_one_scope_) {
        const std::uint32_t owner = owner_of(job);
        if (owner != Owner::kUnknown) classes.for_each_of(owner, refresh);
        return;
    }
    for (std::size_t slot = 0; slot < classes.size(); ++slot)
        if (eligibility_->may_share_limits(classes.front(slot), job)) refresh(slot);
}

bool ClassGates::change_hours(Time now, RequestClasses& classes) {
    hours_change_ = kNever;
    for (std::size_t queue = 0; queue < opening_.size(); ++queue) {
        const OpeningHours& hours = eligibility_->hours(static_cast<QueueId>(queue));
        if (hours.always()) continue;
        opening_[queue] = hours.next_opening(now);
        hours_change_ = std::min({hours_change_, opening_[queue], hours.next_closing(now)});
    }
    for (std::size_t slot = 0; slot < classes.size(); ++slot)
        classes.set_open(slot, allows(classes.front(slot), now));
    return true;
}

} // namespace slotwise
