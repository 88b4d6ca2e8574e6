// Changes that a user makes to a simulation.
#include "engine/simulation.hpp"
#include "machine/nodes/job_demands.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace slotwise {

namespace {

std::vector<Intervention> renamed(std::vector<Intervention> done, std::span<const JobId> row_of) {
    for (Intervention& intervention : done)
        if (intervention.job != kNoJob) intervention.job = row_of[intervention.job];
    return done;
}

// Demand of a submitted job: whole nodes where all jobs ask whole nodes alike, as those of a trace
// without demands do; otherwise one core per processor.
UnitDemand demand_of(const JobDemands& demands, std::int64_t processors) {
    UnitDemand demand;
    const auto is_alike = [&](const UnitDemand& kind) {
        return kind.exclusive == Exclusive::job && kind.each == demands.kinds[0].each;
    };
    if (!demands.kinds.empty() &&
        std::all_of(demands.kinds.begin(), demands.kinds.end(), is_alike)) {
        demand = demands.kinds[0];
        demand.nodes = 0;
        const std::int64_t cores = demand.each[0];
        demand.units = static_cast<std::int32_t>((processors + cores - 1) / cores);
    } else {
        demand.units = static_cast<std::int32_t>(processors);
        demand.each.set(0, 1);
    }
    return demand;
}

// Demands with those of the jobs that the table has grown by.
std::shared_ptr<const JobDemands> demands_with(const JobDemands& demands, const JobTable& table,
                                               std::span<const JobId> row_of) {
    std::vector<UnitDemand> of_job(table.size());
    std::vector<bool> is_old(table.size());
    for (std::size_t job = 0; job < row_of.size(); ++job) {
        of_job[row_of[job]] = demands.demand(static_cast<JobId>(job));
        is_old[row_of[job]] = true;
    }
    for (std::size_t row = 0; row < table.size(); ++row)
        if (!is_old[row]) of_job[row] = demand_of(demands, table.processors[row]);
    return std::make_shared<const JobDemands>(
        make_node_jobs(demands.nodes, demands.rule, of_job, demands.constraints));
}

} // namespace

void Simulation::refuse(JobId job, const std::string& why) const {
    refuse_job(*recipe_.table, job, why);
}

void Simulation::submit(const NewJob& job) {
    check_usable();
    submissions_.add(job, *recipe_.table, live_.site(),
                     recipe_.handled == kNothingHandled ? 0 : now_);
}

void Simulation::take_in() {
    check_usable();
    if (submissions_.jobs().empty()) return;
    const Time handled = recipe_.handled;
    GrownTable with = grown(*recipe_.table, submissions_.jobs());
    const auto table = std::make_shared<const JobTable>(std::move(with.table));
    std::sort(with.added.begin(), with.added.end());
    std::vector<Intervention> arrivals;
    for (const JobId job : with.added)
        if (table->submit[job] <= handled)
            arrivals.push_back({.change = Change::arrive, .at = handled, .job = job});
    if (live_.tracker().remembers() || !live_.site().is_plain()) {
        Recipe with_jobs = recipe_;
        with_jobs.table = table;
        if (with_jobs.site.has_nodes())
            with_jobs.site.demands = demands_with(*with_jobs.site.demands, *table, with.row_of);
        with_jobs.interventions = renamed(std::move(with_jobs.interventions), with.row_of);
        with_jobs.interventions.insert(with_jobs.interventions.end(), arrivals.begin(),
                                       arrivals.end());
        DispatchLog past = live_.past();
        past.rename(with.row_of);
        *this = Simulation(std::move(with_jobs), std::move(past));
        return;
    }
    live_.hand_over(table, with.row_of, moment());
    recipe_.table = table;
    recipe_.interventions = renamed(std::move(recipe_.interventions), with.row_of);
    submissions_.clear();
    if (handled == kNothingHandled) now_ = table->submit[0];
    for (const Intervention& arrival : arrivals)
        act(arrival);
}

void Simulation::cancel(JobId job) {
    check_usable();
    if (live_.tracker().bar(job) == Bar::cancelled) refuse(job, "has been cancelled before");
    const bool has_started = live_.loop().schedule().start[job] != kNotStarted;
    if (has_started && (!live_.tracker().is_running(job) || live_.loop().has_ended(job)))
        refuse(job, "has ended; only a job that runs, waits or is yet to come can be cancelled");
    act({.change = Change::cancel, .at = recipe_.handled, .job = job});
}

void Simulation::hold(JobId job) {
    check_usable();
    if (live_.loop().schedule().start[job] != kNotStarted)
        refuse(job, "has started; only a job that waits or is yet to come can be held");
    if (live_.tracker().bar(job) == Bar::cancelled) refuse(job, "has been cancelled");
    if (live_.tracker().bar(job) == Bar::held) return;
    act({.change = Change::hold, .at = recipe_.handled, .job = job});
}

void Simulation::release(JobId job) {
    check_usable();
    if (live_.tracker().bar(job) != Bar::held)
        refuse(job, "is not held; there is nothing to release");
    act({.change = Change::release, .at = recipe_.handled, .job = job});
}

void Simulation::set_priority(JobId job, double priority) {
    check_usable();
    if (std::isnan(priority)) refuse(job, "cannot have the priority NaN; give a number");
    if (live_.loop().schedule().start[job] != kNotStarted ||
        live_.tracker().bar(job) == Bar::cancelled)
        refuse(job, "waits no longer; only a job that waits or is yet to come has a priority");
    change_order(
        {.change = Change::priority, .at = recipe_.handled, .job = job, .value = priority});
}

void Simulation::set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher) {
    check_usable();
    if (policy.kill_at_limit != live_.site().policy.kill_at_limit)
        throw std::invalid_argument("kill_at_limit says how long jobs run, and cannot change while "
                                    "they do; keep it, or begin another simulation");
    change_order({.change = Change::policy,
                  .at = recipe_.handled,
                  .policy = std::make_shared<const Policy>(policy),
                  .dispatcher = dispatcher});
}

// The planner of a site that is not plain must be made for such changes: the first one begins the
// replay again.
void Simulation::change_order(const Intervention& intervention) {
    if (live_.site().is_plain() || live_.site().policy.order.by_hand_first) {
        act(intervention);
        return;
    }
    Recipe changed = recipe_;
    changed.interventions.push_back(intervention);
    *this = Simulation(std::move(changed), live_.past());
}

void Simulation::ask(const std::shared_ptr<Dispatcher>& dispatcher) {
    live_.ask(dispatcher, moment());
}

void Simulation::act(const Intervention& intervention) {
    live_.apply(intervention, moment());
    recipe_.interventions.push_back(intervention);
}

void Simulation::begin_move() {
    check_usable();
    take_in();
    if (!live_.has_changed()) return;
    live_.settle(moment());
    recipe_.interventions.push_back({.change = Change::move, .at = recipe_.handled});
}

} // namespace slotwise
