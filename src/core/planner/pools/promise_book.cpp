#include "planner/pools/promise_book.hpp"

#include <algorithm>

namespace slotwise {

PromiseBook::PromiseBook(PoolsContext& context, PoolEvents& events, PoolSet& pools,
                         PoolLines& lines)
    : context_(&context), events_(&events), pools_(&pools), lines_(&lines),
      first_in_(context.layout->site.pools.size()) {}

void PromiseBook::rebind(PoolsContext& context, PoolEvents& events, PoolSet& pools,
                         PoolLines& lines) {
    context_ = &context;
    events_ = &events;
    pools_ = &pools;
    lines_ = &lines;
}

void PromiseBook::enter(JobId job) {
    if (!context_->layout->has_promises || !may_hold_promise(job)) return;
    const QueueId queue = context_->routing->queue_of[job];
    first_in_[context_->layout->promises_from[queue]].insert(context_->entry_of(job));
    unpromised_.push_back(job);
}

void PromiseBook::leave(JobId job) {
    if (!context_->layout->has_promises || !may_hold_promise(job)) return;
    const QueueId queue = context_->routing->queue_of[job];
    first_in_[context_->layout->promises_from[queue]].erase(context_->key(job));
    if (promises_.holds(job))
        withdraw(job);
    else
        std::erase(unpromised_, job);
}

void PromiseBook::tidy() {
    for (PoolQueue& line : first_in_)
        line.tidy();
}

void PromiseBook::order_anew() {
    for (PoolQueue& line : first_in_)
        line = {};
    for (JobId job = 0; job < lines_->n_jobs(); ++job)
        if (lines_->waits(job)) enter(job);
    promise_anew();
}

void PromiseBook::update(const Cluster& cluster) {
    withdraw_ineligible(cluster);
    replace_broken(cluster);
    compress(cluster);
    promise_others(cluster);
}

// Lists the jobs of the cluster for which wanted() is true, in the order in which promises are
// made. Starving jobs come first, the oldest first. The other jobs follow, grouped by the first
// pool of their queue, and each group is in queue order.
template <class Wanted>
const std::vector<JobId>& PromiseBook::in_order(const Cluster& cluster, Wanted&& wanted) {
    const BackfillBounds anybody = PoolQueue::any(context_->replay.processors);
    in_order_.clear();
    for (const JobId job : lines_->starving())
        if (context_->has_job(cluster, job) && lines_->waits(job) && wanted(job))
            in_order_.push_back(job);
    const auto is_asked = [&](JobId job) { return !lines_->starves(job) && wanted(job); };
    for (const PoolId pool : cluster.pools) {
        const PoolQueue& line = first_in_[pool];
        for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
            to = line.end_of_group(from);
            const Order* order = context_->layout->orders.drifting(line.key(from).group);
            std::vector<JobId>& jobs = order != nullptr ? lines_->scored().listed() : in_order_;
            if (order != nullptr) jobs.clear();
            line.for_each(from, to, anybody, [&](JobId job) {
                if (is_asked(job)) jobs.push_back(job);
            });
            if (order == nullptr) continue;
            lines_->scored().score(*order, context_->jobs, context_->now);
            while (!lines_->scored().empty())
                in_order_.push_back(lines_->scored().take_highest());
        }
    }
    return in_order_;
}

const std::vector<JobId>& PromiseBook::holders(const Cluster& cluster) {
    return in_order(cluster, [&](JobId job) { return promises_.holds(job); });
}

void PromiseBook::touch_due() {
    promises_.for_each_until(context_->now,
                             [&](JobId, const PoolPromise& due) { events_->touch(due.pool); });
}

bool PromiseBook::has_due(const Cluster& cluster) const {
    bool any = false;
    promises_.for_each_until(context_->now, [&](JobId, const PoolPromise& promise) {
        any = any || context_->has_pool(cluster, promise.pool);
    });
    return any;
}

void PromiseBook::plan_all(const Cluster& cluster, int sign) {
    promises_.for_each_until(kNever, [&](JobId job, const PoolPromise& promise) {
        if (context_->has_pool(cluster, promise.pool)) plan_promise(job, promise, sign);
    });
}

void PromiseBook::plan_promise(JobId job, const PoolPromise& promise, int sign) {
    if (JobPools* machine = pools_->machine().by_job()) return machine->lay(job, sign);
    pools_->plan(promise.pool)
        .fence(promise.start, promise.end(), sign * context_->jobs.processors[job]);
}

void PromiseBook::withdraw(JobId job) {
    const PoolPromise promise = promises_.take(job);
    plan_promise(job, promise, -1);
    if (JobPools* machine = pools_->machine().by_job()) machine->forget_promise(job);
    events_->set_opened(promise.pool, true);
}

bool PromiseBook::redeem_by_job(JobId job) {
    JobPools& machine = *pools_->machine().by_job();
    machine.lay(job, -1);
    const bool fits = machine.fits_promise(job);
    if (fits && is_allowed_on_found(job)) {
        promises_.take(job);
        machine.forget_promise(job);
        return true;
    }
    machine.lay(job, 1);
    if (fits) { // the place is free, but its nodes would exceed a limit
        withdraw(job);
        unpromised_.push_back(job);
        over_limit_.push_back(job);
    }
    return false;
}

bool PromiseBook::is_allowed_on_found(JobId job) const {
    const NodePools* nodes = pools_->machine().nodes();
    return nodes == nullptr ||
           context_->eligibility.allows_on(job, context_->routing->queue_of[job], nodes->found());
}

void PromiseBook::promise_anew() {
    promises_.for_each_until(
        kNever, [&](JobId job, const PoolPromise& promise) { plan_promise(job, promise, -1); });
    promises_ = {};
    if (JobPools* machine = pools_->machine().by_job()) machine->forget_promises();
    unpromised_.clear();
    over_limit_.clear();
    events_->forget_openings();
    if (!context_->layout->has_promises) return;
    for (JobId job = 0; job < lines_->n_jobs(); ++job)
        if (lines_->waits(job) && may_hold_promise(job)) unpromised_.push_back(job);
}

bool PromiseBook::takes_promises(PoolId pool, JobId job) const {
    return context_->layout->backfills[pool].promises && context_->is_open(pool, job);
}

bool PromiseBook::may_hold_promise(JobId job) const {
    const Queue& queue = context_->queue_of(job);
    return context_->layout->promises_from[context_->routing->queue_of[job]] != kAnyPool &&
           std::any_of(queue.pools.begin(), queue.pools.end(),
                       [&](PoolId pool) { return takes_promises(pool, job); });
}

// Returns true if the job is eligible, regardless of opening hours, and is not in over_limit_.
bool PromiseBook::may_be_promised(JobId job) const {
    return std::find(over_limit_.begin(), over_limit_.end(), job) == over_limit_.end() &&
           context_->eligibility.allows_at_any_hour(job, context_->routing->queue_of[job],
                                                    context_->jobs.processors[job], context_->now);
}

void PromiseBook::withdraw_ineligible(const Cluster& cluster) {
    if (context_->eligibility.all()) return;
    scratch_jobs_.clear();
    promises_.for_each_until(kNever, [&](JobId job, const PoolPromise& promise) {
        if (context_->has_pool(cluster, promise.pool) && !may_be_promised(job))
            scratch_jobs_.push_back(job);
    });
    for (const JobId job : scratch_jobs_) {
        withdraw(job);
        unpromised_.push_back(job);
    }
}

// Promises the job its earliest start in any pool. If several pools offer the same start, the job
// gets its start in the pool that its queue lists first.
void PromiseBook::promise(JobId job, Time length) {
    const QueueId queue = context_->routing->queue_of[job];
    PoolPromise found{kAnyPool, kNever, length};
    for (const PoolId pool : context_->queue_of(job).pools) {
        if (!takes_promises(pool, job)) continue;
        const Time start =
            pools_->room().earliest_start(pool, job, length, context_->layout->start_times[queue]);
        if (start < found.start) found = {pool, start, length};
    }
    if (found.start == kNever) context_->refuse_endless_search(job);
    promises_.put(job, found);
    if (JobPools* machine = pools_->machine().by_job())
        machine->promise(job, found.start, length);
    else
        plan_promise(job, found, 1);
}

// Returns true if a promise that has been removed from the plan would still fit in its old place.
bool PromiseBook::has_room(JobId job, const PoolPromise& promise) {
    if (promise.start < context_->now) return false;
    if (JobPools* machine = pools_->machine().by_job()) return machine->has_room(job);
    return pools_->plan(promise.pool).profile().least(promise.start, promise.end()) >=
           context_->jobs.processors[job];
}

// Places the starving jobs again, as if no other job had a promise. Then examines the other
// promises in order: a promise that still fits in its old place stays there; otherwise it is placed
// again.
void PromiseBook::replace_broken(const Cluster& cluster) {
    const auto starves_here = [&](JobId job) {
        return lines_->starves(job) && may_hold_promise(job) && may_be_promised(job);
    };
    if (!has_broken(cluster) &&
        std::none_of(lines_->starving().begin(), lines_->starving().end(), [&](JobId job) {
            return lines_->waits(job) && starves_here(job) && context_->has_job(cluster, job);
        }))
        return;
    in_order(cluster, [&](JobId job) { return promises_.holds(job) || starves_here(job); });
    plan_all(cluster, -1);
    for (const JobId job : in_order_) {
        if (!lines_->starves(job)) break;
        if (!promises_.holds(job)) {
            promise(job, std::max<Time>(context_->estimates.waiting(job), 1));
            continue;
        }
        const PoolPromise old = promises_.take(job);
        const NodeHold held = held_by(job);
        promise(job, old.length);
        if (!(promises_.of(job) == old) || !(held_by(job) == held))
            events_->set_opened(old.pool, true);
    }
    std::erase_if(in_order_, [&](JobId job) {
        if (lines_->starves(job)) return true;
        const PoolPromise& kept = promises_.of(job);
        const bool fits = has_room(job, kept);
        if (fits) plan_promise(job, kept, 1);
        return fits;
    });
    for (const JobId job : in_order_)
        promise(job, promises_.take(job).length);
}

// Returns the nodes or node counts of a promise. On a torus, returns the first node and the number
// of nodes.
NodeHold PromiseBook::held_by(JobId job) const {
    if (const IntervalPools* intervals = pools_->machine().intervals()) {
        const NodeInterval kept = intervals->promised(job);
        return {{}, {{kept.begin, kept.size()}}};
    }
    const NodePools* nodes = pools_->machine().nodes();
    return nodes != nullptr ? nodes->promised(job) : NodeHold{};
}

// Returns true if the plan of a pool exceeds its capacity, or if the start of a promise has already
// passed.
bool PromiseBook::has_broken(const Cluster& cluster) const {
    if (promises_.first_start() < context_->now) return true;
    if (JobPools* machine = pools_->machine().by_job()) return machine->is_overdrawn();
    return std::any_of(cluster.pools.begin(), cluster.pools.end(), [&](PoolId pool) {
        return context_->layout->backfills[pool].promises &&
               pools_->plan(pool).profile().least(context_->now, kNever) < 0;
    });
}

// Returns true if the promise might move if it were removed and placed again. This is the case
// if enough processors are free just before its start, if it fits in an earlier gap, or if another
// pool offers a start that is no later.
bool PromiseBook::could_move(JobId job, const PoolPromise& promise) {
    if (pools_->machine().by_job() != nullptr) return could_move_by_job(job, promise);
    const ProcCount processors = context_->jobs.processors[job];
    const auto length = static_cast<Duration>(promise.length);
    const std::vector<PoolId>& pools = context_->queue_of(job).pools;
    return std::any_of(pools.begin(), pools.end(), [&](PoolId pool) {
        if (!takes_promises(pool, job)) return false;
        const Profile& profile = pools_->plan(pool).profile();
        if (pool == promise.pool && profile.run_up_to(promise.start, processors) < promise.start)
            return true;
        const Time found = profile.earliest(processors, length, context_->now, {});
        return pool == promise.pool ? found < promise.start : found <= promise.start;
    });
}

// Does the same as could_move() on a machine with nodes or on a torus. There, a promise moves only
// to an earlier start; otherwise it keeps its nodes or node counts.
bool PromiseBook::could_move_by_job(JobId job, const PoolPromise& promise) {
    JobPools& machine = *pools_->machine().by_job();
    if (!machine.may_start_earlier(job)) return false;
    machine.lay(job, -1);
    const StartTimes& starts = context_->layout->start_times[context_->routing->queue_of[job]];
    const Time found =
        machine.earliest_start(job, promise.length, context_->now, promise.start - 1, starts);
    machine.lay(job, 1);
    return found < promise.start;
}

// If processors may have become free in a pool of the cluster, moves the promises, in order, to
// their earliest possible starts.
void PromiseBook::compress(const Cluster& cluster) {
    const auto has_opened = [&](PoolId pool) { return events_->has_opened(pool); };
    if (std::none_of(cluster.pools.begin(), cluster.pools.end(), has_opened)) return;
    for (const JobId job : holders(cluster)) {
        const std::vector<PoolId>& pools = context_->queue_of(job).pools;
        const PoolPromise old = promises_.of(job);
        const auto is_asked = [&](PoolId pool) {
            return has_opened(pool) && takes_promises(pool, job);
        };
        if (old.start <= context_->now || std::none_of(pools.begin(), pools.end(), is_asked) ||
            !could_move(job, old))
            continue;
        plan_promise(job, promises_.take(job), -1);
        promise(job, old.length);
        if (!(promises_.of(job) == old)) events_->set_opened(old.pool, true);
    }
    for (const PoolId pool : cluster.pools)
        events_->set_opened(pool, false);
}

// Makes promises, in order, to the jobs that may be promised a start but have no promise yet.
void PromiseBook::promise_others(const Cluster& cluster) {
    std::erase_if(unpromised_,
                  [&](JobId job) { return !lines_->waits(job) || promises_.holds(job); });
    scratch_jobs_.clear();
    for (const JobId job : unpromised_)
        if (context_->has_job(cluster, job) && may_be_promised(job)) scratch_jobs_.push_back(job);
    if (scratch_jobs_.size() > 1) {
        std::sort(scratch_jobs_.begin(), scratch_jobs_.end());
        scratch_jobs_ = in_order(cluster, [&](JobId job) {
            return std::binary_search(scratch_jobs_.begin(), scratch_jobs_.end(), job);
        });
    }
    for (const JobId job : scratch_jobs_)
        promise(job, std::max<Time>(context_->estimates.waiting(job), 1));
    std::erase_if(unpromised_, [&](JobId job) { return promises_.holds(job); });
}

} // namespace slotwise
