#include "planner/reservation/plans/interval_job_plan.hpp"

#include "planner/reservation/plans/plan.hpp"

namespace slotwise {

static_assert(Plan<IntervalJobPlan>);

IntervalJobPlan::IntervalJobPlan(const ReplayContext& context)
    : jobs_(&context.jobs), schedule_(&context.schedule), torus_(&*context.site.torus),
      allocation_(context.policy.allocation), slots_(torus_->nodes()) {}

IntervalJobPlan::IntervalJobPlan(const IntervalJobPlan& other, const ReplayContext& context)
    : IntervalJobPlan(other) {
    jobs_ = &context.jobs;
    schedule_ = &context.schedule;
    torus_ = &*context.site.torus;
}

// A job that ends by the start of the reservation may use the reserved nodes.
bool IntervalJobPlan::fits(JobId job, Duration length) {
    if (is_reserved_ && now_ + length <= reservation_.from())
        reservation_.put_back(slots_);
    else if (is_reserved_)
        reservation_.set_aside(slots_);
    found_ = find(job);
    return !found_.empty();
}

Time IntervalJobPlan::earliest(JobId job, Duration, bool) {
    if (computed_for_ != job || is_outdated_) {
        reservation_.make(slots_, now_, [&] { return find(job); });
        computed_for_ = job;
        is_outdated_ = false;
    }
    return reservation_.from();
}

void IntervalJobPlan::vacate(JobId, Time, Time, Hold&) {
    reservation_.put_back(slots_);
    is_reserved_ = false;
}

void IntervalJobPlan::start(JobId job, Time, Time end) {
    slots_.allocate(found_);
    reservation_.add(job, end, {&found_, 1});
    is_outdated_ = true;
    if (!reservation_.is_aside()) note_largest();
}

void IntervalJobPlan::prolong(JobId job, Time, Time to) {
    reservation_.prolong(job, to);
    is_outdated_ = true;
}

void IntervalJobPlan::finish(JobId job, Time end) {
    reservation_.remove(job, end, slots_);
    is_outdated_ = true;
}

void IntervalJobPlan::resume(JobId job, Time end) {
    const auto nodes = schedule_->placements.of(job);
    for (const NodeInterval& interval : nodes)
        slots_.allocate(interval);
    reservation_.add(job, end, nodes);
}

} // namespace slotwise
