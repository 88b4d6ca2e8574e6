#include "planner/ruled/class_gates.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

ClassGates::ClassGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing) {
    if (!routing_) return;
    const Site& site = context.site;
    limits_ = OwnerLimits(site, context.jobs);
    limits_.note_sizes();
    accounts_ = LimitAccounts(limits_);
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

RequestClasses::Owner ClassGates::owner_of(JobId job) {
    constexpr ProcCount kAny = std::numeric_limits<ProcCount>::max();
    if (!has_limits()) return {LimitAccounts::kNone, kAny, is_ready(job)};
    const QueueId queue = queue_of(job);
    const std::uint32_t account = accounts_.number_of(job, queue, limits_);
    if (account == LimitAccounts::kNone) return {account, kAny, is_ready(job)};
    limits_.note_size(job, processors(job));
    return {account, limits_.room_for(job, queue), is_ready(job)};
}

// Updates the room of each owner that the start or end of this job affects.
void ClassGates::refresh_owners_of(JobId job, RequestClasses& classes) {
    const auto is_used = [&](std::uint32_t account) { return classes.has_owner(account); };
    accounts_.for_each_sharing(job, limits_, is_used, [&](std::uint32_t account, JobId its_job) {
        classes.set_room(account, limits_.room_for(its_job, queue_of(its_job)));
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
    classes.for_each(
        [&](std::size_t slot) { classes.set_ready(slot, is_ready(classes.front(slot))); });
    return true;
}

} // namespace slotwise
