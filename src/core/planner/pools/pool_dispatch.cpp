#include "planner/pools/pool_dispatch.hpp"

#include "admission/job_owners.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

PoolDispatch::PoolDispatch(const Parts& parts, std::shared_ptr<Dispatcher> dispatcher)
    : context_(&parts.context), pools_(&parts.pools), lines_(&parts.lines),
      transitions_(&parts.transitions), spanning_(&parts.spanning),
      dispatcher_(std::move(dispatcher)) {}

PoolDispatch::PoolDispatch(const PoolDispatch& other, const Parts& parts)
    : PoolDispatch(parts, other.asks() ? other.dispatcher_->clone() : nullptr) {
    log_ = other.log_;
    past_ = other.past_;
    running_ = other.running_;
    ended_ = other.ended_;
    arrived_ = other.arrived_;
    is_asking_ = other.is_asking_;
    asks_again_ = other.asks_again_;
}

void PoolDispatch::change(const std::shared_ptr<Dispatcher>& dispatcher,
                          std::span<const JobId> running) {
    dispatcher_ = dispatcher != nullptr ? dispatcher->clone() : nullptr;
    running_.assign(running.begin(), running.end());
    ended_.clear();
    arrived_.clear();
    is_asking_ = false;
    asks_again_ = false;
}

void PoolDispatch::note(const Instant& instant, std::span<const Starts::Stop> stops) {
    for (const JobId job : instant.ended)
        std::erase(running_, job);
    for (const Starts::Stop& stop : stops)
        std::erase(running_, stop.job);
    ended_.insert(ended_.end(), instant.ended.begin(), instant.ended.end());
    arrived_.insert(arrived_.end(), instant.arrived.begin(), instant.arrived.end());
}

void PoolDispatch::ask() {
    bool& lifted = context_->lifted;
    const struct Lifting { // makes the limits apply again after this pass
        bool& lifted;
        ~Lifting() { lifted = false; }
    } lifting{lifted};
    is_asking_ = true;
    asks_again_ = false;
    list_eligible();
    lifted = context_->layout->site.limits.lifted_when_idle && waiting_.empty();
    if (lifted) list_eligible();
    choose();
    start_chosen();
    is_asking_ = false;
    ended_.clear();
    arrived_.clear();
    running_.insert(running_.end(), chosen_.begin(), chosen_.end());
    if (lifted || chosen_.empty() || lines_->any_eligible()) return;
    lifted = context_->layout->site.limits.lifted_when_idle;
    asks_again_ = lifted && lines_->any_eligible();
}

void PoolDispatch::list_eligible() {
    waiting_.clear();
    for (const JobId job : lines_->listed())
        if (lines_->waits(job) && context_->is_eligible(job)) waiting_.push_back(job);
}

// Determines the jobs to start and their pools. Repeats a recorded decision if there is one;
// otherwise calls the dispatcher.
void PoolDispatch::choose() {
    chosen_.clear();
    named_.clear();
    nodes_.clear();
    if (follow_past(log_.n_asked++)) return;
    const std::vector<UserReservation>& reservations = context_->layout->site.reservations;
    free_ = pools_->free_in_each();
    free_in_reservations_.clear();
    for (std::uint32_t index = 0; index < reservations.size(); ++index)
        free_in_reservations_.push_back(pools_->open_reservations().is_open(index)
                                            ? pools_->open_reservations().left(index)
                                            : PassView::kNotOpen);
    PassView view{context_->replay, context_->now, 0,        waiting_,
                  running_,         ended_,        arrived_, nullptr};
    view.free = std::accumulate(free_.begin(), free_.end(), ProcCount{0});
    view.pools = context_->layout->site.pools;
    view.free_in_pools = free_;
    view.pool_of = pools_->pool_of_each();
    view.reservations = reservations;
    view.free_in_reservations = free_in_reservations_;
    if (pools_->machine().nodes() != nullptr) view.nodes = &pools_->machine().nodes()->state();
    dispatcher_->choose(view, chosen_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        named_.push_back(dispatcher_->pool(i));
        const std::span<const std::int32_t> nodes = dispatcher_->nodes(i);
        nodes_.emplace_back(nodes.begin(), nodes.end());
    }
}

// Repeats the decision recorded for the call with this number. It may be a decision to start no
// job. Returns false if no such call has been recorded.
bool PoolDispatch::follow_past(std::size_t number) {
    if (number >= past_.n_asked) return false;
    const auto answer = std::lower_bound(
        past_.answers.begin(), past_.answers.end(), number,
        [](const DispatchLog::Answer& each, std::size_t ask) { return each.ask < ask; });
    if (answer == past_.answers.end() || answer->ask != number) return true;
    chosen_ = answer->jobs;
    named_ = answer->pools;
    nodes_ = answer->nodes;
    return true;
}

// Starts all chosen jobs, or none.
void PoolDispatch::start_chosen() {
    const std::size_t n_spans = pools_->spans().size();
    std::vector<PoolId> ran_before; // for each started job, the pool of its previous run
    try {
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            const PoolId pool = pools_->pool_of(chosen_[i]);
            start(i);
            ran_before.push_back(pool);
        }
    } catch (const DispatchError&) {
        take_back(ran_before, n_spans);
        throw;
    }
    if (!chosen_.empty()) log_.answers.push_back({log_.n_asked - 1, chosen_, named_, nodes_});
}

// Puts the chosen jobs that have already started back into the queue, as if they had not started.
void PoolDispatch::take_back(std::span<const PoolId> ran_before, std::size_t n_spans) {
    transitions_->tidy();
    for (std::size_t i = ran_before.size(); i-- > 0;) {
        const JobId job = chosen_[i];
        pools_->vacate(job, context_->now + context_->estimates.running(job));
        pools_->set_pool_of(job, ran_before[i]);
        transitions_->enqueue(job);
    }
    pools_->forget_spans_from(n_spans);
    context_->starts->jobs.clear();
}

void PoolDispatch::start(std::size_t i) {
    check_startable(chosen_[i]);
    if (nodes_[i].empty())
        start(chosen_[i], named_[i]);
    else
        start_on(chosen_[i], nodes_[i]);
}

void PoolDispatch::check_startable(JobId job) const {
    if (!lines_->waits(job)) {
        const std::vector<Starts::Start>& jobs = context_->starts->jobs;
        const auto is_this = [&](const Starts::Start& start) { return start.job == job; };
        if (std::any_of(jobs.begin(), jobs.end(), is_this))
            refuse(job, "the answer lists the job twice; list each job only once");
        refuse(job, "the job is not in the queue; start only jobs from the queue that the "
                    "dispatcher receives");
    }
    if (!context_->is_eligible(job))
        refuse(job, "a hold, a limit, the opening hours of its queue or a dependency delays the "
                    "job; start only jobs from the queue that the dispatcher receives, and no more "
                    "than the limits allow");
}

// Returns true if a job that precedes this job in the list shown to the dispatcher is still
// waiting.
bool PoolDispatch::passes_another(JobId job) const {
    const auto end = std::lower_bound(waiting_.begin(), waiting_.end(), job);
    return std::any_of(waiting_.begin(), end, [&](JobId other) { return lines_->waits(other); });
}

// Starts the job on the nodes that the dispatcher named for it.
void PoolDispatch::start_on(JobId job, std::span<const std::int32_t> nodes) {
    const std::string fault = pools_->machine().nodes()->place_on(
        job, nodes, context_->queue_of(job).nodes, context_->estimates.waiting(job));
    if (!fault.empty()) refuse(job, fault);
    const std::span<const Place> places = pools_->machine().nodes()->found();
    if (!context_->eligibility.allows_on(job, context_->routing->queue_of[job], places))
        refuse(job, "on the listed nodes, the job would exceed a limit on nodes; list fewer nodes");
    transitions_->start(job, context_->queue_of(job).pools.front(), passes_another(job),
                        context_->estimates.running(job));
}

// Starts the job in the pool that the dispatcher named for it, or in the first pool in which it
// fits.
void PoolDispatch::start(JobId job, PoolId named) {
    const std::vector<PoolId>& pools = context_->queue_of(job).pools;
    if (named != kAnyPool && std::find(pools.begin(), pools.end(), named) == pools.end())
        refuse(job, "the job's queue does not use pool '" +
                        context_->layout->site.pools[named].name +
                        "'; choose a pool of that queue");
    if (context_->queue_of(job).spanning) return start_spanning(job, named);
    if (start_in_some_reservation(job, named)) return;
    std::string obstacles;
    for (const PoolId pool : pools) {
        if (named != kAnyPool && pool != named) continue;
        const std::string obstacle = obstacle_in(pool, job);
        if (obstacle.empty()) {
            transitions_->start(job, pool, passes_another(job), context_->estimates.running(job));
            return;
        }
        obstacles += (obstacles.empty() ? "" : "; ") + obstacle;
    }
    refuse(job, obstacles);
}

// Starts the job inside an open reservation of its user if it fits there. The reservation must be
// in the named pool or, if none is named, in a pool of the job's queue. On a machine with nodes,
// the named pool does not matter.
bool PoolDispatch::start_in_some_reservation(JobId job, PoolId named) {
    const std::vector<UserReservation>& reservations = context_->layout->site.reservations;
    const ReplayJobs& jobs = context_->jobs;
    for (std::uint32_t index = 0; index < reservations.size(); ++index) {
        const UserReservation& reservation = reservations[index];
        if ((named == kAnyPool || reservation.pool == named ||
             pools_->machine().nodes() != nullptr) &&
            pools_->open_reservations().is_open(index) && is_of(reservation.owners, jobs, job) &&
            transitions_->start_inside(job, index))
            return true;
    }
    return false;
}

void PoolDispatch::start_spanning(JobId job, PoolId named) {
    if (named != kAnyPool)
        refuse(job,
               "the answer places the job in pool '" + context_->layout->site.pools[named].name +
                   "', but jobs in its queue span several pools; return only the job's number");
    if (spanning_->start_now(job, std::max<Time>(context_->jobs.requested_time[job], 1))) return;
    ProcCount free = 0;
    for (const PoolId pool : context_->queue_of(job).pools)
        free += pools_->plan(pool).free();
    refuse(job,
           "the pools of the job's queue do not have enough processors throughout its requested "
           "time; needed: " +
               std::to_string(context_->jobs.processors[job]) +
               ", free now: " + std::to_string(free));
}

// Returns the reason why a job cannot start now in a pool of its queue, or an empty string if it
// can.
std::string PoolDispatch::obstacle_in(PoolId p, JobId job) {
    const ProcCount processors = context_->jobs.processors[job];
    if (pools_->machine().nodes() != nullptr) return obstacle_on_nodes(job);
    const std::string pool = "pool '" + context_->layout->site.pools[p].name + "'";
    PoolPlan& plan = pools_->plan(p);
    if (processors > plan.free())
        return "the job needs more processors (" + std::to_string(processors) +
               ") than are free in " + pool + " (" + std::to_string(plan.free()) + ")";
    if (!context_->is_open(p, job)) return pool + " is not open to the job yet";
    if (!plan.fits_now(context_->estimates.waiting(job), processors))
        return "the job's requested time overlaps a downtime or a reservation in " + pool;
    return {};
}

// Returns the reason why the job cannot start now on the nodes of its queue, or an empty string if
// it can.
std::string PoolDispatch::obstacle_on_nodes(JobId job) {
    const bool fits = pools_->room().fits_now(context_->queue_of(job).pools.front(), job,
                                              context_->estimates.waiting(job));
    if (!fits)
        return "the nodes of the job's queue do not have room for the job throughout its requested "
               "time";
    if (context_->eligibility.allows_on(job, context_->routing->queue_of[job],
                                        pools_->machine().nodes()->found()))
        return {};
    return "on the nodes that have room, the job would exceed a limit on nodes";
}

void PoolDispatch::refuse(JobId job, const std::string& why) const {
    const auto& ids = context_->jobs.table->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw DispatchError("the dispatcher cannot start job " + std::to_string(number) + ": " + why);
}

} // namespace slotwise
