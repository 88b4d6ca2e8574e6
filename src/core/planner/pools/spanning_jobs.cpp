// PoolsPlanner: jobs in several pools at once.
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

bool share_a_pool(const AdvanceReservation& one, const AdvanceReservation& other) {
    return std::any_of(one.shares.begin(), one.shares.end(), [&](const PoolShare& share) {
        return std::any_of(other.shares.begin(), other.shares.end(),
                           [&](const PoolShare& its) { return its.pool == share.pool; });
    });
}

} // namespace

// Queues whose heads starve come first, the oldest of these before the others.
void PoolsPlanner::reserve_in_advance(const Cluster& cluster) {
    std::vector<QueueId> left = cluster.spanning;
    while (!left.empty()) {
        const JobId first = oldest_starving(left);
        const QueueId queue = first == kNoJob ? left.front() : routing_->queue_of[first];
        if (!reserve_for_head(queue)) std::erase(left, queue);
    }
}

// Of the eligible jobs of these queues.
JobId PoolsPlanner::oldest_starving(std::span<const QueueId> spanning) const {
    const auto is_asked = [&](QueueId queue) {
        return std::find(spanning.begin(), spanning.end(), queue) != spanning.end();
    };
    for (const JobId job : starving_spanning_)
        if (waits(job) && is_asked(routing_->queue_of[job]) && is_eligible(job)) return job;
    return kNoJob;
}

// Sees to the reservation of the queue's head; true where it has started.
bool PoolsPlanner::reserve_for_head(QueueId queue) {
    AdvanceReservation& kept = in_advance_[queue];
    const JobId job = head_of(queue);
    if (kept.job != job) drop(kept);
    if (job == kNoJob) return false;
    if (kept.made() && kept.from == now_ && start_spanning(kept)) return true;
    std::vector<PoolId> usable = usable_pools(queue);
    const auto is_usable = [&](const PoolShare& share) {
        return std::find(usable.begin(), usable.end(), share.pool) != usable.end();
    };
    if (kept.made() &&
        (kept.from <= now_ || !std::all_of(kept.shares.begin(), kept.shares.end(), is_usable)))
        drop(kept);
    if (kept.job == job && kept.usable == usable && kept.eased == eased(usable) &&
        kept.starves == starves(job))
        return false;
    return search_for_head(kept, job, std::move(usable));
}

// Has the head's reservation where it can be had earliest, as if nothing were kept for the jobs it
// precedes: what is, in the same pools, is made anew in their turn. True where that is now and it
// has started.
bool PoolsPlanner::search_for_head(AdvanceReservation& kept, JobId job,
                                   std::vector<PoolId> usable) {
    const Time length = std::max<Time>(context_.jobs.requested_time[job], 1);
    const Policy& policy = context_.policy;
    const StartGrid grid{context_.jobs.first_submit,
                         policy.passes == Passes::periodic ? policy.period : 1};
    std::vector<AdvanceReservation*> giving_way{&kept};
    for (const QueueId queue :
         layout_->clusters[layout_->cluster_of_queue(routing_->queue_of[job])].spanning)
        if (in_advance_[queue].made() && precedes(job, in_advance_[queue].job))
            giving_way.push_back(&in_advance_[queue]);
    for (const AdvanceReservation* each : giving_way)
        fence(*each, -1);
    AdvanceReservation earlier;
    int n_searches = 0;
    do {
        if (++n_searches > PoolPlan::kMostSearches) refuse_endless_search(job);
        earlier = earliest_together(layout_->site.pools, pools_, usable,
                                    context_.jobs.processors[job], length, now_, kept.from, grid);
    } while (reach(usable, earlier.made() ? earlier.to : now_));
    for (const AdvanceReservation* each : giving_way)
        fence(*each, 1);
    if (earlier.made()) {
        for (AdvanceReservation* each : giving_way)
            if (each == &kept || share_a_pool(*each, earlier)) drop(*each);
        fence(earlier, 1);
        for (const PoolShare& share : earlier.shares)
            touch(share.pool);
        kept = std::move(earlier);
    }
    kept.job = job;
    kept.eased = eased(usable);
    kept.starves = starves(job);
    kept.usable = std::move(usable);
    return kept.made() && kept.from == now_ && start_spanning(kept);
}

// Plans what is announced in these pools before `time`; whether there was something.
bool PoolsPlanner::reach(const std::vector<PoolId>& pools, Time time) {
    bool found = false;
    for (const PoolId pool : pools)
        found = pools_[pool].reach(time) || found;
    return found;
}

std::uint64_t PoolsPlanner::eased(const std::vector<PoolId>& pools) const {
    std::uint64_t sum = 0;
    for (const PoolId pool : pools)
        sum += pools_[pool].eased();
    return sum;
}

JobId PoolsPlanner::head_of(QueueId queue) {
    if (const JobId oldest = oldest_starving({&queue, 1}); oldest != kNoJob) return oldest;
    const PoolQueue& line = heads_[queue];
    const BackfillBounds anybody = PoolQueue::any(context_.processors);
    if (const Order* order = layout_->orders.drifting(queue)) {
        for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
            to = line.end_of_group(from); // of one priority by hand
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                if (const JobId job = scored_.take_highest(); is_eligible(job)) return job;
        }
        return kNoJob;
    }
    for (PoolQueue::Position at = line.next(0, anybody); at < line.end();
         at = line.next(at + 1, anybody))
        if (is_eligible(line.job(at))) return line.job(at);
    return kNoJob;
}

// The pools of the queue in which no starving job of another may run.
std::vector<PoolId> PoolsPlanner::usable_pools(QueueId queue) const {
    std::vector<PoolId> usable = layout_->site.queues[queue].pools;
    const auto concerns = [&](std::size_t other) {
        const std::vector<PoolId>& pools = layout_->site.queues[other].pools;
        return std::find_first_of(usable.begin(), usable.end(), pools.begin(), pools.end()) !=
               usable.end();
    };
    std::vector<std::uint32_t> left(n_starving_.size(), 0); // to look at, by queue
    std::size_t n_left = 0;                                 // such queues
    for (std::size_t q = 0; q < left.size(); ++q) {
        if (n_starving_[q] == 0 || !concerns(q)) continue;
        left[q] = n_starving_[q];
        ++n_left;
    }
    for (std::size_t i = 0; i < starving_.size() && n_left > 0; ++i) {
        const JobId job = starving_[i];
        const QueueId other = routing_->queue_of[job];
        if (left[other] == 0 || !waits(job) || !rows_.is_front(job)) continue;
        if (is_eligible(job))
            std::erase_if(usable, [&](PoolId pool) {
                const std::vector<PoolId>& pools = layout_->site.queues[other].pools;
                return std::find(pools.begin(), pools.end(), pool) != pools.end() &&
                       is_open(pool, job);
            });
        if (--left[other] > 0 && !concerns(other)) left[other] = 0;
        if (left[other] == 0) --n_left;
    }
    return usable;
}

// Of jobs of spanning queues: a starving one precedes those that do not starve, or are younger.
bool PoolsPlanner::precedes(JobId job, JobId other) const {
    return job != kNoJob && starves(job) && (!starves(other) || job < other);
}

// What advance reservations of others keep of the pool now, but of those `job` precedes.
ProcCount PoolsPlanner::fenced(PoolId pool, JobId job) const {
    ProcCount processors = 0;
    for (const QueueId queue : layout_->clusters[layout_->cluster_of[pool]].spanning) {
        const AdvanceReservation& reservation = in_advance_[queue];
        if (reservation.from > now_ || reservation.to <= now_ || reservation.job == job ||
            precedes(job, reservation.job))
            continue;
        for (const PoolShare& share : reservation.shares)
            if (share.pool == pool) processors += share.processors;
    }
    return processors;
}

// Puts the shares into the plans of their pools (sign 1), or takes them out (−1).
void PoolsPlanner::fence(const AdvanceReservation& reservation, int sign) {
    for (const PoolShare& share : reservation.shares)
        pools_[share.pool].fence(reservation.from, reservation.to, sign * share.processors);
}

void PoolsPlanner::drop(AdvanceReservation& reservation) {
    fence(reservation, -1);
    for (const PoolShare& share : reservation.shares) {
        pools_[share.pool].note_eased();
        touch(share.pool);
    }
    has_dropped_ = has_dropped_ || reservation.made();
    reservation = {};
}

// Starts the job in all its pools if its shares are free now.
bool PoolsPlanner::start_spanning(AdvanceReservation& reservation) {
    const JobId job = reservation.job;
    const bool free = std::all_of(
        reservation.shares.begin(), reservation.shares.end(), [&](const PoolShare& share) {
            return pools_[share.pool].free() - fenced(share.pool, job) >= share.processors;
        });
    if (!free) return false;
    fence(reservation, -1);
    for (const PoolShare& share : reservation.shares)
        touch(share.pool);
    const Time end = ends_.start(job, now_, static_cast<Duration>(length_at_start(job)));
    for (const PoolShare& share : reservation.shares)
        pools_[share.pool].occupy(end, share.processors);
    if (end < reservation.to)
        for (const PoolShare& share : reservation.shares)
            pools_[share.pool].note_eased();
    // In one pool alone it is as any job of that pool.
    const bool is_in_one = reservation.shares.size() == 1;
    const PoolId pool = is_in_one ? reservation.shares[0].pool : kAnyPool;
    if (!is_in_one) {
        for (const PoolShare& share : reservation.shares)
            spans_.push_back({job, now_, share.pool, share.processors});
        shares_[job] = std::move(reservation.shares);
    }
    reservation = {};
    note_started(job, pool, false);
    return true;
}

} // namespace slotwise
