#include "planner/reservation/plans/processor_plan.hpp"

#include "planner/reservation/plans/plan.hpp"

namespace slotwise {

static_assert(Plan<ProcessorPlan>);

ProcessorPlan::ProcessorPlan(const ReplayContext& context)
    : jobs_(&context.jobs), ends_now_are_free_(context.policy.ending_now_is_free),
      now_(context.jobs.first_submit), free_(context.processors),
      profile_(context.processors, context.jobs.first_submit) {}

ProcessorPlan::ProcessorPlan(const ProcessorPlan& other, const ReplayContext& context)
    : ProcessorPlan(other) {
    jobs_ = &context.jobs;
}

void ProcessorPlan::advance(Time now) {
    now_ = now;
    profile_.advance(now);
}

void ProcessorPlan::start(JobId job, Time planned, Time end) {
    profile_.add(now_, planned, -processors(job));
    if (end != planned) started_.push_back({job, planned, end});
    free_ -= processors(job);
    if (end > now_ || !ends_now_are_free_) available_ -= processors(job);
}

void ProcessorPlan::close() {
    for (const Started& started : started_) {
        profile_.add(now_, started.planned, processors(started.job));
        profile_.add(now_, started.end, -processors(started.job));
    }
    started_.clear();
}

void ProcessorPlan::finish(JobId job, Time end) {
    profile_.add(now_, end, processors(job));
    free_ += processors(job);
}

void ProcessorPlan::resume(JobId job, Time end) {
    profile_.add(now_, end, -processors(job));
    free_ -= processors(job);
}

} // namespace slotwise
