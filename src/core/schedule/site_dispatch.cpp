// SitePlanner: where somebody outside says who starts.
//
// The queue shown is of those that may start: not held, ready, within hours and limits. Limits are
// asked again as each job of an answer starts. Plans of the pools hold what the calendar announces,
// which an answer may not run into.
#include "schedule/site_dispatch.hpp"

#include "schedule/site_planner.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace slotwise {

void SiteDispatch::note(const Instant& instant, std::span<const Starts::Stop> stops) {
    for (const JobId job : instant.ended)
        std::erase(running, job);
    for (const Starts::Stop& stop : stops)
        std::erase(running, stop.job);
    ended.insert(ended.end(), instant.ended.begin(), instant.ended.end());
    arrived.insert(arrived.end(), instant.arrived.begin(), instant.arrived.end());
}

void SitePlanner::ask_outside() {
    SiteDispatch& asked = *dispatch_;
    asked.asking = true;
    asked.waiting.clear();
    for (const JobId job : waiting_)
        if (waits_[job] != 0 && is_eligible(job)) asked.waiting.push_back(job);
    asked.free = free_in_pools();
    asked.chosen.clear();
    const ProcCount free = std::accumulate(asked.free.begin(), asked.free.end(), ProcCount{0});
    asked.dispatcher->choose({context_, now_, free, asked.waiting, asked.running, asked.ended,
                              asked.arrived, nullptr, layout_->site.pools, asked.free},
                             asked.chosen);
    start_chosen();
    asked.asking = false;
    asked.ended.clear();
    asked.arrived.clear();
    asked.running.insert(asked.running.end(), asked.chosen.begin(), asked.chosen.end());
}

// All of them, or none.
void SitePlanner::start_chosen() {
    const SiteDispatch& asked = *dispatch_;
    std::vector<PoolId> before; // where they ran last
    try {
        for (std::size_t i = 0; i < asked.chosen.size(); ++i) {
            const PoolId pool = pool_of_[asked.chosen[i]];
            start_as_told(asked.chosen[i], asked.dispatcher->pool(i));
            before.push_back(pool);
        }
    } catch (const DispatchError&) {
        tidy();
        for (std::size_t i = before.size(); i-- > 0;) {
            vacate(asked.chosen[i]);
            pool_of_[asked.chosen[i]] = before[i];
            enqueue(asked.chosen[i]);
        }
        starts_->jobs.clear();
        throw;
    }
}

void SitePlanner::start_as_told(JobId job, PoolId named) {
    if (waits_[job] == 0) {
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
    std::string obstacles;
    for (const PoolId pool : pools) {
        if (named != kAnyPool && pool != named) continue;
        const std::string obstacle = obstacle_in(pool, job);
        if (obstacle.empty()) {
            const std::vector<JobId>& waiting = dispatch_->waiting;
            const bool past_another =
                std::any_of(waiting.begin(), std::lower_bound(waiting.begin(), waiting.end(), job),
                            [&](JobId other) { return waits_[other] != 0; });
            start(job, pool, past_another);
            return;
        }
        obstacles += (obstacles.empty() ? "" : "; ") + obstacle;
    }
    refuse_answer(job, "does not fit: " + obstacles);
}

// Why a job cannot start in a pool of its queue now; empty: it can.
std::string SitePlanner::obstacle_in(PoolId p, JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const std::string pool = "pool '" + layout_->site.pools[p].name + "'";
    if (processors > pools_[p].free())
        return "it needs " + std::to_string(processors) + " processors and " +
               std::to_string(pools_[p].free()) + " are free in " + pool;
    if (!is_open(p, job)) return pool + " is not open to it yet";
    if (!pools_[p].has_room(beliefs_.waiting(job), processors))
        return "by its request it would run into what the calendar takes from " + pool;
    return {};
}

void SitePlanner::refuse_answer(JobId job, const std::string& why) const {
    const auto& ids = context_.jobs.table->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw DispatchError("the dispatcher starts job " + std::to_string(number) + ", which " + why);
}

} // namespace slotwise
