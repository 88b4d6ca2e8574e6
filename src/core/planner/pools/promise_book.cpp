// PoolsPlanner: conservative backfilling. What each job is promised, and what becomes of it.
//
// Example, pools A and B of 4, all of A busy until 100 and 2 of B until 50: a job of 3 that may run
// in both is promised 50 in B. The job in A ends at 20: room opens there, and the promise moves to
// it. Of another cluster of pools nothing is looked at.
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

// Until a further round would start nobody. Starts fill limits, and leave pools by the way of a
// threshold, so that promises are given up and others move.
void PoolsPlanner::keep_promises(const Cluster& cluster) {
    std::size_t before;
    do {
        before = starts_->jobs.size();
        give_up_barred(cluster);
        replace_broken(cluster);
        compress(cluster);
        promise_others(cluster);
        start_due(cluster);
        if (cluster.has_threshold) sweep(cluster);
    } while (starts_->jobs.size() > before && n_waiting_ > 0);
}

// Advance reservations take their places as if nothing were promised, and promises of room that
// they give back may move.
void PoolsPlanner::reserve_past_promises(const Cluster& cluster) {
    const auto of_cluster = [&](QueueId queue) { return in_advance_[queue]; };
    std::vector<AdvanceReservation> before;
    std::transform(cluster.spanning.begin(), cluster.spanning.end(), std::back_inserter(before),
                   of_cluster);
    lay_promises(cluster, -1);
    reserve_in_advance(cluster);
    lay_promises(cluster, 1);
    for (std::size_t at = 0; at < before.size(); ++at) {
        const AdvanceReservation& now = in_advance_[cluster.spanning[at]];
        if (before[at].job == now.job && before[at].from == now.from &&
            before[at].shares == now.shares)
            continue;
        for (const PoolShare& share : before[at].shares)
            has_opened_[share.pool] = 1;
    }
}

// Puts the promises into the plans of their pools (sign 1), or takes them out (−1).
void PoolsPlanner::lay_promises(const Cluster& cluster, int sign) {
    promises_.for_each_until(kNever, [&](JobId job, const PoolPromise& promise) {
        if (has_pool(cluster, promise.pool)) lay(job, promise, sign);
    });
}

void PoolsPlanner::lay(JobId job, const PoolPromise& promise, int sign) {
    pools_[promise.pool].fence(promise.start, promise.end(), sign * context_.jobs.processors[job]);
}

void PoolsPlanner::withdraw(JobId job) {
    const PoolPromise promise = promises_.take(job);
    lay(job, promise, -1);
    has_opened_[promise.pool] = 1;
}

// The job waits no longer, or is to be ordered anew.
void PoolsPlanner::leave_promises(JobId job) {
    const QueueId queue = routing_->queue_of[job];
    of_promises_[layout_->promises_from[queue]].erase(
        layout_->orders.key(context_.jobs, job, queue));
    if (promises_.holds(job))
        withdraw(job);
    else
        std::erase(unpromised_, job);
}

// All who wait are promised a place anew, and in the order of the present policy.
void PoolsPlanner::promise_anew() {
    promises_.for_each_until(kNever,
                             [&](JobId job, const PoolPromise& promise) { lay(job, promise, -1); });
    promises_ = {};
    unpromised_.clear();
    std::fill(has_opened_.begin(), has_opened_.end(), std::uint8_t{0});
    if (!layout_->has_promises) return;
    for (JobId job = 0; job < standing_.size(); ++job)
        if (waits(job) && may_hold_promise(job)) unpromised_.push_back(job);
}

bool PoolsPlanner::takes_promises(PoolId pool, JobId job) const {
    return layout_->backfills[pool].promises && is_open(pool, job);
}

bool PoolsPlanner::may_hold_promise(JobId job) const {
    const Queue& queue = queue_of(job);
    return layout_->promises_from[routing_->queue_of[job]] != kAnyPool &&
           std::any_of(queue.pools.begin(), queue.pools.end(),
                       [&](PoolId pool) { return takes_promises(pool, job); });
}

// Whether the job might start now, or would if its queue were open.
bool PoolsPlanner::may_be_promised(JobId job) const {
    return eligibility_.allows_at_any_hour(job, routing_->queue_of[job],
                                           context_.jobs.processors[job], now_);
}

void PoolsPlanner::give_up_barred(const Cluster& cluster) {
    if (eligibility_.all()) return;
    scratch_jobs_.clear();
    promises_.for_each_until(kNever, [&](JobId job, const PoolPromise& promise) {
        if (has_pool(cluster, promise.pool) && !may_be_promised(job)) scratch_jobs_.push_back(job);
    });
    for (const JobId job : scratch_jobs_) {
        withdraw(job);
        unpromised_.push_back(job);
    }
}

// The earliest place of all pools, of equal ones that of the first choice.
void PoolsPlanner::promise(JobId job, Time length) {
    const QueueId queue = routing_->queue_of[job];
    PoolPromise found{kAnyPool, kNever, length};
    for (const PoolId pool : queue_of(job).pools) {
        if (!takes_promises(pool, job)) continue;
        const Time start = pools_[pool].earliest_start(length, context_.jobs.processors[job], now_,
                                                       layout_->start_times[queue]);
        if (start < found.start) found = {pool, start, length};
    }
    if (found.start == kNever) refuse_endless_search(job);
    promises_.put(job, found);
    lay(job, found, 1);
}

// Lists jobs of the cluster's promises that are wanted, in the order in which places are given:
// starving ones, oldest first; then by the first pool of their queue, each in its order.
template <class Wanted>
const std::vector<JobId>& PoolsPlanner::in_order(const Cluster& cluster, Wanted&& wanted) {
    const BackfillBounds anybody = PoolQueue::any(context_.processors);
    in_order_.clear();
    for (const JobId job : starving_)
        if (has_job(cluster, job) && waits(job) && wanted(job)) in_order_.push_back(job);
    const auto is_asked = [&](JobId job) { return !starves(job) && wanted(job); };
    for (const PoolId pool : cluster.pools) {
        const PoolQueue& line = of_promises_[pool];
        for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
            to = line.end_of_group(from);
            const Order* order = layout_->orders.drifting(line.key(from).group);
            std::vector<JobId>& jobs = order != nullptr ? scored_.listed() : in_order_;
            if (order != nullptr) jobs.clear();
            line.for_each(from, to, anybody, [&](JobId job) {
                if (is_asked(job)) jobs.push_back(job);
            });
            if (order == nullptr) continue;
            scored_.score(*order, context_.jobs, now_);
            while (!scored_.empty())
                in_order_.push_back(scored_.take_highest());
        }
    }
    return in_order_;
}

// Starving jobs take their places anew, as if nothing were promised to those that do not starve.
// Then, in order, a promise that fits is kept; then those that do not are placed again, in order.
void PoolsPlanner::replace_broken(const Cluster& cluster) {
    const auto starves_here = [&](JobId job) {
        return starves(job) && may_hold_promise(job) && may_be_promised(job);
    };
    if (!has_broken(cluster) && std::none_of(starving_.begin(), starving_.end(), [&](JobId job) {
            return waits(job) && starves_here(job) && has_job(cluster, job);
        }))
        return;
    in_order(cluster, [&](JobId job) { return promises_.holds(job) || starves_here(job); });
    lay_promises(cluster, -1);
    for (const JobId job : in_order_) {
        if (!starves(job)) break;
        if (!promises_.holds(job)) {
            promise(job, std::max<Time>(estimates_.waiting(job), 1));
            continue;
        }
        const PoolPromise old = promises_.take(job);
        promise(job, old.length);
        if (!(promises_.of(job) == old)) has_opened_[old.pool] = 1;
    }
    std::erase_if(in_order_, [&](JobId job) {
        if (starves(job)) return true;
        const PoolPromise& kept = promises_.of(job);
        const bool fits =
            kept.start >= now_ && pools_[kept.pool].profile().least(kept.start, kept.end()) >=
                                      context_.jobs.processors[job];
        if (fits) lay(job, kept, 1);
        return fits;
    });
    for (const JobId job : in_order_)
        promise(job, promises_.take(job).length);
}

// Whether more is planned in a pool than it has, or a promise is over.
bool PoolsPlanner::has_broken(const Cluster& cluster) const {
    return promises_.first_start() < now_ ||
           std::any_of(
               cluster.pools.begin(), cluster.pools.end(),
               [&](PoolId pool) {
                   return layout_->backfills[pool].promises &&
                          pools_[pool].profile().least(now_, kNever) < 0;
               });
}

// Whether the place of a promise might be another were it taken out and put back: a window lies
// before its start, or reaches from before it into its own place, or another pool has one as early.
bool PoolsPlanner::may_gain(JobId job, const PoolPromise& promise) const {
    const ProcCount processors = context_.jobs.processors[job];
    const auto length = static_cast<Duration>(promise.length);
    const std::vector<PoolId>& pools = queue_of(job).pools;
    return std::any_of(pools.begin(), pools.end(), [&](PoolId pool) {
        if (!takes_promises(pool, job)) return false;
        const Profile& profile = pools_[pool].profile();
        if (pool == promise.pool && profile.run_up_to(promise.start, processors) < promise.start)
            return true;
        const Time found = profile.earliest(processors, length, now_, {});
        return pool == promise.pool ? found < promise.start : found <= promise.start;
    });
}

// Where room may have opened, moves each promise, in order, to its earliest place.
void PoolsPlanner::compress(const Cluster& cluster) {
    const auto has_opened = [&](PoolId pool) { return has_opened_[pool] != 0; };
    if (std::none_of(cluster.pools.begin(), cluster.pools.end(), has_opened)) return;
    in_order(cluster, [&](JobId job) { return promises_.holds(job); });
    for (const JobId job : in_order_) {
        const std::vector<PoolId>& pools = queue_of(job).pools;
        const PoolPromise old = promises_.of(job);
        const auto is_asked = [&](PoolId pool) {
            return has_opened(pool) && takes_promises(pool, job);
        };
        if (old.start <= now_ || std::none_of(pools.begin(), pools.end(), is_asked) ||
            !may_gain(job, old))
            continue;
        lay(job, promises_.take(job), -1);
        promise(job, old.length);
        if (!(promises_.of(job) == old)) has_opened_[old.pool] = 1;
    }
    for (const PoolId pool : cluster.pools)
        has_opened_[pool] = 0;
}

// Who has no promise and may have one, in order.
void PoolsPlanner::promise_others(const Cluster& cluster) {
    std::erase_if(unpromised_, [&](JobId job) { return !waits(job) || promises_.holds(job); });
    scratch_jobs_.clear();
    for (const JobId job : unpromised_)
        if (has_job(cluster, job) && may_be_promised(job)) scratch_jobs_.push_back(job);
    if (scratch_jobs_.size() > 1) {
        std::sort(scratch_jobs_.begin(), scratch_jobs_.end());
        scratch_jobs_ = in_order(cluster, [&](JobId job) {
            return std::binary_search(scratch_jobs_.begin(), scratch_jobs_.end(), job);
        });
    }
    for (const JobId job : scratch_jobs_)
        promise(job, std::max<Time>(estimates_.waiting(job), 1));
    std::erase_if(unpromised_, [&](JobId job) { return promises_.holds(job); });
}

// A promise falls due when the plan has room; a job whose end at this instant is yet to be handled,
// or one of length 0, may still hold the processors.
void PoolsPlanner::start_due(const Cluster& cluster) {
    bool any = false;
    promises_.for_each_until(now_, [&](JobId, const PoolPromise& promise) {
        any = any || has_pool(cluster, promise.pool);
    });
    if (!any) return;
    std::fill(is_passed_.begin(), is_passed_.end(), std::uint8_t{0});
    in_order(cluster, [&](JobId job) { return promises_.holds(job); });
    for (const JobId job : in_order_) {
        const PoolPromise due = promises_.of(job);
        if (due.start <= now_ && is_eligible(job) &&
            context_.jobs.processors[job] <= pools_[due.pool].free() - fenced(due.pool, kNoJob)) {
            lay(job, promises_.take(job), -1);
            start(job, due.pool, is_passed_[due.pool] != 0, due.length);
            continue;
        }
        for (const PoolId pool : queue_of(job).pools)
            if (takes_promises(pool, job)) is_passed_[pool] = 1;
    }
}

} // namespace slotwise
