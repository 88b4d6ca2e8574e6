// What a user changes in a simulation, and how it takes effect.
#include "engine/simulation.hpp"

#include "machine/nodes/job_demands.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

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
        demand.each[0] = 1;
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

// Lets priorities by hand precede every order of the site.
void Simulation::put_by_hand_first(Site& site) {
    site.policy.order.by_hand_first = true;
    if (site.policy.backfill_order) site.policy.backfill_order->by_hand_first = true;
    for (Queue& queue : site.queues)
        queue.order.by_hand_first = true;
}

void Simulation::refuse(JobId job, const std::string& why) const {
    const auto& ids = table_->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw std::invalid_argument("job " + std::to_string(number) + " " + why);
}

void Simulation::submit(const NewJob& job) {
    check_usable();
    const auto fault = [&](const std::string& why) {
        throw std::invalid_argument("job " + std::to_string(job.job_id) + ": " + why);
    };
    if (job.submit < (handled_ == kNothing ? 0 : now_))
        fault("submit is " + std::to_string(job.submit) + " and the time " + std::to_string(now_) +
              "; a job can be submitted now or later");
    if (!site_.placement.is_none() && site_.placement.beta < 1)
        fault("which jobs the placement effect touches is drawn over the whole trace; put the job "
              "into the trace, or give beta = 1");
    if (job.processors < 1 || job.processors > site_.processors)
        fault("processors is " + std::to_string(job.processors) + "; the machine has " +
              std::to_string(site_.processors) + ": give between 1 and that");
    const auto longest = static_cast<std::int64_t>(kMaxDuration);
    for (const std::int64_t seconds : {job.run_time, job.requested_time})
        if (seconds < 0 || seconds > longest)
            fault("a time of " + std::to_string(seconds) +
                  " s; run_time and requested_time must lie between 0 and 2^32 - 2 seconds");
    if (job.submit > kMaxTime) fault("submit must lie between 0 and 2^53 seconds");
    if (job.job_id < next_job_id_) {
        const auto& ids = table_->job_id;
        const bool used =
            std::find(ids.begin(), ids.end(), job.job_id) != ids.end() ||
            std::any_of(submitted_.begin(), submitted_.end(),
                        [&](const NewJob& other) { return other.job_id == job.job_id; });
        if (used) fault("the number is in use; leave job_id out, or give another");
    }
    submitted_.push_back(job);
    next_job_id_ = std::max(next_job_id_, job.job_id + 1);
}

void Simulation::take_in() {
    check_usable();
    if (submitted_.empty()) return;
    GrownTable with = grown(*table_, submitted_);
    const auto table = std::make_shared<const JobTable>(std::move(with.table));
    std::sort(with.added.begin(), with.added.end());
    if (first_site_.has_nodes())
        first_site_.demands = demands_with(*first_site_.demands, *table, with.row_of);
    std::vector<Intervention> arrivals;
    for (const JobId job : with.added)
        if (table->submit[job] <= handled_)
            arrivals.push_back({.change = Change::arrive, .at = handled_, .job = job});
    if (roster_->remembers() || !site_.is_plain()) {
        std::vector<Intervention> done = renamed(interventions_, with.row_of);
        done.insert(done.end(), arrivals.begin(), arrivals.end());
        DispatchLog before = past();
        before.rename(with.row_of);
        *this = Simulation(table, first_site_, first_dispatcher_, std::move(done), handled_,
                           std::move(before));
        return;
    }
    hand_over(table, site_, dispatcher_, with.row_of);
    submitted_.clear();
    if (handled_ == kNothing) now_ = table_->submit[0];
    for (const Intervention& arrival : arrivals) {
        late_.push_back(arrival.job);
        act(arrival);
    }
}

Time Simulation::estimate_start(const NewJob& job) const {
    Simulation copy(*this);
    copy.take_in();
    copy.submit(job);
    copy.take_in();
    const JobId row = copy.find(job.job_id);
    const auto& submit = copy.table_->submit;
    const auto come = std::upper_bound(submit.begin(), submit.end(), now_) - submit.begin();
    for (JobId other = static_cast<JobId>(come); other < copy.table_->size(); ++other)
        if (other != row) copy.roster_->set_bar(other, Bar::cancelled);
    copy.loop_->take_requests_for_lengths(copy.roster_->running(), copy.now_);
    copy.settle();
    copy.loop_->run({}, row);
    return copy.loop_->schedule().start[row];
}

Time Simulation::start_under(JobId job, std::span<const Time> run_time,
                             std::span<const JobId> without) const {
    const ReplayJobs& jobs = loop_->jobs();
    if (run_time.size() != jobs.size() || job >= jobs.size())
        throw std::invalid_argument(std::to_string(run_time.size()) + " run times for " +
                                    std::to_string(jobs.size()) + " jobs; give one a row");
    Simulation copy(*this);
    copy.take_in();
    for (const JobId other : without)
        if (other != job && other >= copy.loop_->arrivals())
            copy.roster_->set_bar(other, Bar::cancelled);
    std::vector<Duration> length(run_time.size());
    for (std::size_t row = 0; row < length.size(); ++row) {
        const Time most = site_.policy.kill_at_limit ? jobs.requested_time[row] : kMaxDuration;
        length[row] = static_cast<Duration>(std::clamp<Time>(run_time[row], 0, most));
    }
    copy.loop_->take_lengths(length, copy.roster_->running(), copy.now_);
    copy.settle();
    copy.loop_->run({}, job);
    return copy.loop_->schedule().start[job];
}

void Simulation::cancel(JobId job) {
    check_usable();
    if (roster_->bar(job) == Bar::cancelled) refuse(job, "has been cancelled before");
    const bool has_started = loop_->schedule().start[job] != kNotStarted;
    if (has_started && (!roster_->is_running(job) || loop_->has_ended(job)))
        refuse(job, "has ended; only a job that runs, waits or is yet to come can be cancelled");
    act({.change = Change::cancel, .at = handled_, .job = job});
}

void Simulation::hold(JobId job) {
    check_usable();
    if (loop_->schedule().start[job] != kNotStarted)
        refuse(job, "has started; only a job that waits or is yet to come can be held");
    if (roster_->bar(job) == Bar::cancelled) refuse(job, "has been cancelled");
    if (roster_->bar(job) == Bar::held) return;
    act({.change = Change::hold, .at = handled_, .job = job});
}

void Simulation::release(JobId job) {
    check_usable();
    if (roster_->bar(job) != Bar::held) refuse(job, "is not held; there is nothing to release");
    act({.change = Change::release, .at = handled_, .job = job});
}

void Simulation::set_priority(JobId job, double priority) {
    check_usable();
    if (std::isnan(priority)) refuse(job, "cannot have the priority NaN; give a number");
    if (loop_->schedule().start[job] != kNotStarted || roster_->bar(job) == Bar::cancelled)
        refuse(job, "waits no longer; only a job that waits or is yet to come has a priority");
    change_order({.change = Change::priority, .at = handled_, .job = job, .value = priority});
}

void Simulation::set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher) {
    check_usable();
    if (policy.kill_at_limit != site_.policy.kill_at_limit)
        throw std::invalid_argument("kill_at_limit says how long jobs run, and cannot change while "
                                    "they do; keep it, or begin another simulation");
    change_order({.change = Change::policy,
                  .at = handled_,
                  .policy = std::make_shared<const Policy>(policy),
                  .dispatcher = dispatcher});
}

// The planner of a site that is not plain takes such changes where it was made for them: the first
// one begins the replay again.
void Simulation::change_order(const Intervention& intervention) {
    if (site_.is_plain() || site_.policy.order.by_hand_first) {
        act(intervention);
        return;
    }
    std::vector<Intervention> done = interventions_;
    done.push_back(intervention);
    *this = Simulation(table_, first_site_, first_dispatcher_, std::move(done), handled_, past());
}

void Simulation::ask(const std::shared_ptr<Dispatcher>& dispatcher) {
    const bool pass_due = pass_due_;
    hand_over(site_, dispatcher);
    pass_due_ = pass_due;
}

void Simulation::act(const Intervention& intervention) {
    apply(intervention);
    interventions_.push_back(intervention);
}

void Simulation::apply(const Intervention& intervention) {
    const JobId job = intervention.job;
    switch (intervention.change) {
    case Change::arrive:
        ++n_late_;
        loop_->close_arrivals(n_late_ < late_.size() ? late_[n_late_]
                                                     : static_cast<JobId>(table_->size()));
        loop_->arrive(job, handled_);
        pass_due_ = true;
        break;
    case Change::cancel:
        if (roster_->is_running(job)) {
            loop_->stop(job, now_);
            roster_->end(job);
            pass_due_ = true;
            break;
        }
        [[fallthrough]];
    case Change::hold:
        pass_due_ = pass_due_ || roster_->is_waiting(job);
        roster_->set_bar(job, intervention.change == Change::hold ? Bar::held : Bar::cancelled);
        break;
    case Change::release:
        roster_->set_bar(job, roster_->is_waiting(job) ? Bar::returning : Bar::none);
        if (!roster_->is_waiting(job)) break;
        if (roster_->bar(job) == Bar::returning) loop_->arrive(job, handled_);
        pass_due_ = true;
        break;
    case Change::priority:
        if (!site_.is_plain()) {
            const bool waits = roster_->is_waiting(job);
            if (waits)
                loop_->reorder_by_hand(job, intervention.value);
            else
                loop_->set_priority_by_hand(job, intervention.value);
            pass_due_ = pass_due_ || waits;
            break;
        }
        loop_->set_priority_by_hand(job, intervention.value);
        put_by_hand_first(site_);
        remake_due_ = true;
        pass_due_ = pass_due_ || roster_->is_waiting(job);
        break;
    case Change::policy: {
        Site site = site_;
        site.policy = *intervention.policy;
        if (intervention.dispatcher != nullptr && !site.is_plain()) { // it believes nothing itself
            site.policy.estimates = site_.policy.estimates;
            site.policy.waiting_estimates = site_.policy.waiting_estimates;
        }
        if (!loop_->jobs().priority_by_hand.empty() || !site.is_plain()) put_by_hand_first(site);
        if (site.is_plain()) {
            hand_over(site, intervention.dispatcher);
        } else {
            loop_->change_policy(site.policy, intervention.dispatcher);
            site_ = site;
        }
        pass_due_ = handled_ == now_;
        break;
    }
    case Change::move:
        break;
    }
}

// The scheduler is made anew, from who waits and runs, over a table in which job j of the present
// one is row_of[j]; nothing has changed where that throws.
void Simulation::hand_over(const std::shared_ptr<const JobTable>& table, const Site& site,
                           const std::shared_ptr<Dispatcher>& dispatcher,
                           std::span<const JobId> row_of) {
    const Time now = table->size() == 0 ? now_ : std::max(now_, table->submit[0]);
    const auto take_over = [&](const ReplayContext& context) {
        return std::make_unique<TrackedScheduler>(*roster_, context,
                                                  planner_for(context, dispatcher), row_of, now);
    };
    loop_ = std::make_unique<Simulator>(*loop_, table, site, row_of, handled_, take_over);
    roster_ = static_cast<TrackedScheduler*>(&loop_->scheduler());
    if (table != table_) {
        interventions_ = renamed(std::move(interventions_), row_of);
        for (JobId& job : late_)
            job = row_of[job];
    }
    if (n_late_ < late_.size()) loop_->close_arrivals(late_[n_late_]);
    table_ = table;
    site_ = site;
    dispatcher_ = dispatcher;
    remake_due_ = false;
}

void Simulation::hand_over(const Site& site, const std::shared_ptr<Dispatcher>& dispatcher) {
    std::vector<JobId> same(table_->size());
    std::iota(same.begin(), same.end(), JobId{0});
    hand_over(table_, site, dispatcher, same);
}

// What was changed by hand is ready to take effect.
void Simulation::settle() {
    if (remake_due_) hand_over(site_, dispatcher_);
    if (pass_due_) loop_->ask_for_pass(handled_);
    pass_due_ = false;
}

void Simulation::begin_move() {
    check_usable();
    take_in();
    if (!pass_due_ && !remake_due_) return;
    settle();
    interventions_.push_back({.change = Change::move, .at = handled_});
}

} // namespace slotwise
