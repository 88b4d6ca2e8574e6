#include "planner/ruled/class_gates.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace slotwise {

namespace {

void add_scopes(const Limits& limits, std::set<std::size_t>& scopes) {
    for (const LimitInfo& limit : kLimits)
        if (limits.*limit.value != kNoLimit) scopes.insert(static_cast<std::size_t>(limit.scope));
}

// Scopes whose limits count, among the limits that one_queue.hpp covers.
std::vector<std::size_t> limited_scopes(const Site& site) {
    std::set<std::size_t> scopes;
    add_scopes(site.limits, scopes);
    for (const Queue& queue : site.queues)
        add_scopes(queue.limits, scopes);
    return {scopes.begin(), scopes.end()};
}

} // namespace

ClassGates::ClassGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing) {
    if (!routing_) return;
    eligibility_.emplace(context.site, context.jobs, *routing_);
    lifts_ = context.site.limits.lifted_when_idle;
    scopes_ = limited_scopes(context.site);
    if (!eligibility_->has_hours()) return;
    opening_.resize(context.site.queues.size(), kNever);
    hours_change_ = std::numeric_limits<Time>::min();
}

ClassGates::ClassGates(const ClassGates& other, const ReplayContext& context)
    : jobs_(&context.jobs), routing_(other.routing_), lifts_(other.lifts_),
      eligibility_(other.eligibility_), scopes_(other.scopes_), opening_(other.opening_),
      hours_change_(other.hours_change_) {}

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

bool ClassGates::shares_limits(JobId one, JobId other) const {
    return std::any_of(scopes_.begin(), scopes_.end(), [&](std::size_t scope) {
        const std::uint32_t owner = eligibility_->owner_in(scope, one);
        return owner != Owner::kUnknown && owner == eligibility_->owner_in(scope, other);
    });
}

// Updates the owners' classes after `job`, because a limit may have opened or closed them.
void ClassGates::refresh_owners_of(JobId job, bool opens, Time now, RequestClasses& classes) {
    const auto refresh = [&](std::size_t slot) {
        if (classes.is_open(slot) != opens)
            classes.set_open(slot, allows(classes.front(slot), now));
    };
    if (scopes_.size() == 1) {
        const std::uint32_t owner = owner_of(job);
        if (owner != Owner::kUnknown) classes.for_each_of(owner, refresh);
        return;
    }
    for (std::size_t slot = 0; slot < classes.size(); ++slot)
        if (shares_limits(classes.front(slot), job)) refresh(slot);
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
