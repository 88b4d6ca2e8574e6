// PoolsPlanner: where somebody outside says who starts.
//
// The queue shown is of those that may start: not held, ready, within hours and limits. Limits are
// asked again as each job of an answer starts. Plans of the pools hold what the calendar announces,
// which an answer may not run into. A job starts inside a reservation of its user where it fits.
#include "planner/pools/pool_dispatch.hpp"

#include "admission/pool_gaps.hpp"
#include "planner/pools/pools_planner.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace slotwise {

void PoolDispatch::note(const Instant& instant, std::span<const Starts::Stop> stops) {
    for (const JobId job : instant.ended)
        std::erase(running, job);
    for (const Starts::Stop& stop : stops)
        std::erase(running, stop.job);
    ended.insert(ended.end(), instant.ended.begin(), instant.ended.end());
    arrived.insert(arrived.end(), instant.arrived.begin(), instant.arrived.end());
}

void PoolsPlanner::ask_outside() {
    PoolDispatch& asked = *dispatch_;
    const struct Lifting { // of the site's limits, for as long as this pass lasts
        bool& lifted;
        ~Lifting() { lifted = false; }
    } lifting{lifted_};
    asked.asking = true;
    asked.asks_again = false;
    list_eligible();
    lifted_ = layout_->site.limits.lifted_when_idle && asked.waiting.empty();
    if (lifted_) list_eligible();
    choose_outside();
    start_chosen();
    asked.asking = false;
    asked.ended.clear();
    asked.arrived.clear();
    asked.running.insert(asked.running.end(), asked.chosen.begin(), asked.chosen.end());
    if (lifted_ || asked.chosen.empty() || any_eligible()) return;
    lifted_ = layout_->site.limits.lifted_when_idle;
    asked.asks_again = lifted_ && any_eligible();
}

void PoolsPlanner::list_eligible() {
    dispatch_->waiting.clear();
    for (const JobId job : waiting_)
        if (waits(job) && is_eligible(job)) dispatch_->waiting.push_back(job);
}

// Who is to start, and where: from the log of the past, or the dispatcher.
void PoolsPlanner::choose_outside() {
    PoolDispatch& asked = *dispatch_;
    asked.chosen.clear();
    asked.pools.clear();
    const std::size_t number = log_.n_asked++;
    if (number < past_.n_asked) {
        const auto answer = std::lower_bound(
            past_.answers.begin(), past_.answers.end(), number,
            [](const DispatchLog::Answer& each, std::size_t ask) { return each.ask < ask; });
        if (answer == past_.answers.end() || answer->ask != number) return;
        asked.chosen = answer->jobs;
        asked.pools = answer->pools;
        return;
    }
    asked.free = free_in_pools();
    asked.free_in_reservations.clear();
    for (std::uint32_t index = 0; index < layout_->site.reservations.size(); ++index)
        asked.free_in_reservations.push_back(
            reservations_.is_open(index) ? reservations_.left(index) : PassView::kNotOpen);
    PassView view{context_,    now_,          0,      asked.waiting, asked.running,
                  asked.ended, asked.arrived, nullptr};
    view.free = std::accumulate(asked.free.begin(), asked.free.end(), ProcCount{0});
    view.pools = layout_->site.pools;
    view.free_in_pools = asked.free;
    view.pool_of = pool_of_;
    view.reservations = layout_->site.reservations;
    view.free_in_reservations = asked.free_in_reservations;
    asked.dispatcher->choose(view, asked.chosen);
    for (std::size_t i = 0; i < asked.chosen.size(); ++i)
        asked.pools.push_back(asked.dispatcher->pool(i));
}

// All of them, or none.
void PoolsPlanner::start_chosen() {
    const PoolDispatch& asked = *dispatch_;
    const std::size_t n_spans = spans_.size();
    std::vector<PoolId> ran_before; // where they ran last
    try {
        for (std::size_t i = 0; i < asked.chosen.size(); ++i) {
            const PoolId pool = pool_of_[asked.chosen[i]];
            start_as_told(asked.chosen[i], asked.pools[i]);
            ran_before.push_back(pool);
        }
    } catch (const DispatchError&) {
        take_back(ran_before, n_spans);
        throw;
    }
    if (!asked.chosen.empty())
        log_.answers.push_back({log_.n_asked - 1, asked.chosen, asked.pools});
}

// The first jobs of the answer, which have started, wait as before.
void PoolsPlanner::take_back(std::span<const PoolId> ran_before, std::size_t n_spans) {
    tidy();
    for (std::size_t i = ran_before.size(); i-- > 0;) {
        const JobId job = dispatch_->chosen[i];
        vacate(job, now_ + estimates_.running(job));
        pool_of_[job] = ran_before[i];
        enqueue(job);
    }
    spans_.resize(n_spans);
    starts_->jobs.clear();
}

void PoolsPlanner::start_as_told(JobId job, PoolId named) {
    if (!waits(job)) {
        const auto is_this = [&](const Starts::Start& start) { return start.job == job; };
        if (std::any_of(starts_->jobs.begin(), starts_->jobs.end(), is_this))
            refuse_answer(job, "it names twice; name each job once");
        refuse_answer(job, "is not in the queue; start jobs of the queue it is shown");
    }
    if (!is_eligible(job))
        refuse_answer(job, "a hold, a limit, the hours of its queue or a dependency keeps back; "
                           "start jobs of the queue it is shown, no more than the limits allow");
    const std::vector<PoolId>& pools = queue_of(job).pools;
    if (named != kAnyPool && std::find(pools.begin(), pools.end(), named) == pools.end())
        refuse_answer(job, "may not run in pool '" + layout_->site.pools[named].name +
                               "': its queue has other pools");
    if (queue_of(job).spanning) return start_spanning_as_told(job, named);
    if (start_in_some_reservation(job, named)) return;
    std::string obstacles;
    for (const PoolId pool : pools) {
        if (named != kAnyPool && pool != named) continue;
        const std::string obstacle = obstacle_in(pool, job);
        if (obstacle.empty()) {
            const std::vector<JobId>& waiting = dispatch_->waiting;
            const bool past_another =
                std::any_of(waiting.begin(), std::lower_bound(waiting.begin(), waiting.end(), job),
                            [&](JobId other) { return waits(other); });
            start(job, pool, past_another, estimates_.running(job));
            return;
        }
        obstacles += (obstacles.empty() ? "" : "; ") + obstacle;
    }
    refuse_answer(job, "does not fit: " + obstacles);
}

// In an open one of its user, in the pool named or one of its queue, where it fits.
bool PoolsPlanner::start_in_some_reservation(JobId job, PoolId named) {
    for (std::uint32_t index = 0; index < layout_->site.reservations.size(); ++index) {
        const UserReservation& reservation = layout_->site.reservations[index];
        if ((named == kAnyPool || reservation.pool == named) && reservations_.is_open(index) &&
            is_for(reservation, context_.jobs.user(job), context_.jobs.group(job)) &&
            start_inside(job, index))
            return true;
    }
    return false;
}

// In proportion to what each pool of its queue keeps for the time it asks for, as an advance
// reservation would have it.
void PoolsPlanner::start_spanning_as_told(JobId job, PoolId named) {
    if (named != kAnyPool)
        refuse_answer(job, "is given pool '" + layout_->site.pools[named].name +
                               "', but its queue takes processors of several; name it alone");
    const std::vector<PoolId>& pools = queue_of(job).pools;
    const ProcCount processors = context_.jobs.processors[job];
    const Time length = std::max<Time>(context_.jobs.requested_time[job], 1);
    reach(pools, now_ + length);
    AdvanceReservation place =
        earliest_together(layout_->site.pools, pools_, pools, processors, length, now_, now_ + 1,
                          {context_.jobs.first_submit, 1});
    place.job = job;
    fence(place, 1);
    if (place.made() && start_spanning(place)) return;
    fence(place, -1);
    ProcCount free = 0;
    for (const PoolId pool : pools)
        free += pools_[pool].free();
    refuse_answer(job, "does not fit: it needs " + std::to_string(processors) +
                           " processors, and of the " + std::to_string(free) +
                           " free in the pools of its queue too few stay so for the time it "
                           "asks for");
}

// Why a job cannot start in a pool of its queue now; empty: it can.
std::string PoolsPlanner::obstacle_in(PoolId p, JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const std::string pool = "pool '" + layout_->site.pools[p].name + "'";
    if (processors > pools_[p].free())
        return "it needs " + std::to_string(processors) + " processors and " +
               std::to_string(pools_[p].free()) + " are free in " + pool;
    if (!is_open(p, job)) return pool + " is not open to it yet";
    if (!pools_[p].fits_now(estimates_.waiting(job), processors))
        return "by its request it would run into what the calendar takes from " + pool;
    return {};
}

void PoolsPlanner::refuse_answer(JobId job, const std::string& why) const {
    const auto& ids = context_.jobs.table->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw DispatchError("the dispatcher starts job " + std::to_string(number) + ", which " + why);
}

} // namespace slotwise
