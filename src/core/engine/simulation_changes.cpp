// Changes that a user makes to a simulation.
#include "engine/arrivals/arrival_order.hpp"
#include "engine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace slotwise {

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
    GrownRecipe with = with_jobs(recipe_, submissions_.jobs());
    const std::shared_ptr<const JobTable> table = with.recipe.table;
    std::vector<Intervention> arrivals;
    for (const JobId job : with.added)
        if (table->submit[job] <= handled)
            arrivals.push_back({.change = Change::arrive, .at = handled, .job = job});
    if (live_.tracker().remembers() || !live_.site().is_plain()) {
        std::vector<Intervention>& done = with.recipe.interventions;
        done.insert(done.end(), arrivals.begin(), arrivals.end());
        DispatchLog past = live_.past();
        past.rename(with.row_of);
        *this = Simulation(std::move(with.recipe), std::move(past));
        return;
    }
    live_.hand_over(table, with.row_of, moment());
    recipe_ = std::move(with.recipe);
    numbers_ = nullptr;
    submissions_.clear();
    if (handled == kNothingHandled) now_ = table->submit[0];
    for (const Intervention& arrival : arrivals)
        act(arrival);
}

void Simulation::cancel(JobId job) {
    check_usable();
    if (live_.tracker().bar(job) == Bar::cancelled) refuse(job, "has already been cancelled");
    const bool has_started = live_.loop().schedule().start[job] != kNotStarted;
    if (has_started && (!live_.tracker().is_running(job) || live_.loop().has_ended(job)))
        refuse(job,
               "has ended; only a job that is running, waiting or yet to arrive can be cancelled");
    act({.change = Change::cancel, .at = recipe_.handled, .job = job});
}

void Simulation::hold(JobId job) {
    check_usable();
    if (live_.loop().schedule().start[job] != kNotStarted)
        refuse(job, "has started; only a job that is waiting or yet to arrive can be held");
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
    if (std::isnan(priority)) refuse(job, "cannot have the priority NaN; use a number");
    if (live_.loop().schedule().start[job] != kNotStarted ||
        live_.tracker().bar(job) == Bar::cancelled)
        refuse(job,
               "is no longer waiting; only a job that is waiting or yet to arrive has a priority");
    change_order(
        {.change = Change::priority, .at = recipe_.handled, .job = job, .value = priority});
}

void Simulation::set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher) {
    check_usable();
    if (policy.kill_at_limit != live_.site().policy.kill_at_limit)
        throw std::invalid_argument(
            "kill_at_limit determines how long jobs run, so it cannot change during a simulation; "
            "keep its value, or begin another simulation");
    change_order({.change = Change::policy,
                  .at = recipe_.handled,
                  .policy = std::make_shared<const Policy>(policy),
                  .dispatcher = dispatcher});
}

// Makes a change of priority or policy. Unless the site consists only of a machine and a policy,
// the planner accepts such changes only if it was built for them. The first of these changes
// therefore repeats the replay from the start.
void Simulation::change_order(const Intervention& intervention) {
    if (live_.site().is_plain() || live_.site().policy.order.manual_first) {
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
