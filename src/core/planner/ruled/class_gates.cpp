#include "planner/ruled/class_gates.hpp"

#include <utility>

namespace slotwise {

ClassGates::ClassGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing) {
    if (!routing_) return;
    eligibility_.emplace(context.site, context.jobs, *routing_);
    lifts_ = context.site.limits.lifted_when_idle;
    if (eligibility_->has_hours()) is_queue_open_.resize(context.site.queues.size(), 2);
}

ClassGates::ClassGates(const ClassGates& other, const ReplayContext& context)
    : jobs_(&context.jobs), routing_(other.routing_), lifts_(other.lifts_),
      eligibility_(other.eligibility_), is_queue_open_(other.is_queue_open_) {}

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
    for (std::size_t slot = 0; slot < classes.size(); ++slot) {
        const JobId front = classes.front(slot);
        if (classes.is_open(slot) != opens && eligibility_->may_share_limits(front, job))
            classes.set_open(slot, allows(front, now));
    }
}

bool ClassGates::follow_hours(Time now, RequestClasses& classes) {
    bool has_changed = false;
    for (std::size_t queue = 0; queue < is_queue_open_.size(); ++queue) {
        const std::uint8_t is_open = eligibility_->is_open(static_cast<QueueId>(queue), now);
        has_changed = has_changed || is_open != is_queue_open_[queue];
        is_queue_open_[queue] = is_open;
    }
    if (!has_changed) return false;
    for (std::size_t slot = 0; slot < classes.size(); ++slot)
        classes.set_open(slot, allows(classes.front(slot), now));
    return true;
}

} // namespace slotwise
