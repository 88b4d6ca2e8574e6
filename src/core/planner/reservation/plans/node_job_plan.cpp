#include "planner/reservation/plans/node_job_plan.hpp"

#include "planner/reservation/plans/plan.hpp"

#include <algorithm>

namespace slotwise {

static_assert(Plan<NodeJobPlan>);

namespace {

// Returns true if `a` requests at least as many units as `b`, and each unit is at least as large.
bool asks_as_much(const UnitDemand& a, const UnitDemand& b) {
    if (a.units < b.units) return false;
    for (std::size_t r = 0; r < b.each.size(); ++r)
        if (a.each[r] < b.each[r]) return false;
    return true;
}

} // namespace

NodeJobPlan::NodeJobPlan(const ReplayContext& context, std::shared_ptr<const JobDemands> demands)
    : demands_(std::move(demands)), planned_(demands_),
      plan_(demands_->nodes, context.jobs.first_submit, NodePlan::Full::takes_all),
      now_(context.jobs.first_submit), places_(context.jobs.size()) {}

void NodeJobPlan::advance(Time now) {
    now_ = now;
    plan_.advance(now);
}

bool NodeJobPlan::fits(JobId job, Duration length) {
    const PlannedDemand& asked = planned_.of(job);
    for (const Failure& failure : failures_)
        if (failure.length <= length && asks_as_much(asked.demand, failure.demand)) return false;
    if (plan_.fits(asked, now_, length)) return true;
    note_failure({asked.demand, length});
    return false;
}

void NodeJobPlan::note_failure(const Failure& failure) {
    if (failures_.size() < kMostFailures) {
        failures_.push_back(failure);
    } else {
        failures_[next_failure_] = failure;
        next_failure_ = (next_failure_ + 1) % kMostFailures;
    }
}

void NodeJobPlan::occupy(JobId job, Time from, Time to, Hold& hold) {
    plan_.place(planned_.of(job), from, to - from, hold);
    plan_.occupy(hold, demand(job).each, from, to);
}

void NodeJobPlan::vacate(JobId job, Time from, Time to, Hold& hold) {
    plan_.vacate(hold, demand(job).each, std::max(from, now_), to);
}

void NodeJobPlan::start(JobId job, Time planned, Time) {
    occupy(job, now_, planned, found_);
    places_.set(job, found_);
}

void NodeJobPlan::prolong(JobId job, Time from, Time to) {
    plan_.occupy(places_.of(job), demand(job).each, from, to);
}

void NodeJobPlan::finish(JobId job, Time end) {
    if (end > now_) plan_.vacate(places_.of(job), demand(job).each, now_, end);
}

} // namespace slotwise
