// SitePlanner: jobs in several pools at once.
#include "schedule/site_planner.hpp"

#include <algorithm>

namespace slotwise {

void SitePlanner::reserve_in_advance(const Cluster& cluster) {
    for (const QueueId queue : cluster.spanning)
        while (reserve_for_head(queue)) {
        }
}

// Sees to the reservation of the queue's head; true where it has started.
bool SitePlanner::reserve_for_head(QueueId queue) {
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
    if (kept.job == job && kept.usable == usable && kept.eased == eased(usable)) return false;
    return search_for_head(kept, job, std::move(usable));
}

// Has the head's reservation where it can be had earliest; true where that is now and it has
// started.
bool SitePlanner::search_for_head(AdvanceReservation& kept, JobId job, std::vector<PoolId> usable) {
    const Time length = std::max<Time>(context_.jobs.requested_time[job], 1);
    const Policy& policy = context_.policy;
    const StartGrid grid{context_.jobs.first_submit,
                         policy.passes == Passes::periodic ? policy.period : 1};
    fence(kept, -1);
    AdvanceReservation earlier;
    do
        earlier = earliest_together(layout_->site.pools, pools_, usable,
                                    context_.jobs.processors[job], length, now_, kept.from, grid);
    while (reach(usable, earlier.made() ? earlier.to : now_));
    fence(kept, 1);
    if (earlier.made()) {
        drop(kept);
        fence(earlier, 1);
        kept = std::move(earlier);
    }
    kept.job = job;
    kept.eased = eased(usable);
    kept.usable = std::move(usable);
    return kept.made() && kept.from == now_ && start_spanning(kept);
}

// Plans what is announced in these pools before `time`; whether there was something.
bool SitePlanner::reach(const std::vector<PoolId>& pools, Time time) {
    bool found = false;
    for (const PoolId pool : pools)
        found = pools_[pool].reach(time) || found;
    return found;
}

std::uint64_t SitePlanner::eased(const std::vector<PoolId>& pools) const {
    std::uint64_t sum = 0;
    for (const PoolId pool : pools)
        sum += pools_[pool].eased();
    return sum;
}

JobId SitePlanner::head_of(QueueId queue) {
    const WaitingLine& line = heads_[queue];
    const Room anybody = WaitingLine::any(context_.processors);
    if (const Order* order = layout_->orders.drifting(queue)) {
        for (WaitingLine::Place from = 0, to; from < line.end(); from = to) {
            to = line.end_of_group(from); // of one priority by hand
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                if (const JobId job = scored_.take_highest(); is_eligible(job)) return job;
        }
        return kNoJob;
    }
    for (WaitingLine::Place at = line.next(0, anybody); at < line.end();
         at = line.next(at + 1, anybody))
        if (is_eligible(line.job(at))) return line.job(at);
    return kNoJob;
}

// The pools of the queue in which no starving job of another may run.
std::vector<PoolId> SitePlanner::usable_pools(QueueId queue) const {
    std::vector<PoolId> usable = layout_->site.queues[queue].pools;
    for (const JobId job : starving_) {
        const Queue& other = queue_of(job);
        if (waits_[job] == 0 || other.spanning || !is_eligible(job)) continue;
        std::erase_if(usable, [&](PoolId pool) {
            return std::find(other.pools.begin(), other.pools.end(), pool) != other.pools.end() &&
                   is_open(pool, job);
        });
    }
    return usable;
}

// What advance reservations keep of the pool now.
ProcCount SitePlanner::fenced(PoolId pool, const AdvanceReservation* except) const {
    ProcCount processors = 0;
    for (const QueueId queue : layout_->clusters[layout_->cluster_of[pool]].spanning) {
        const AdvanceReservation& reservation = in_advance_[queue];
        if (&reservation == except || reservation.from > now_ || reservation.to <= now_) continue;
        for (const PoolShare& share : reservation.shares)
            if (share.pool == pool) processors += share.processors;
    }
    return processors;
}

// Puts the shares into the plans of their pools (sign 1), or takes them out (−1).
void SitePlanner::fence(const AdvanceReservation& reservation, int sign) {
    for (const PoolShare& share : reservation.shares)
        pools_[share.pool].fence(reservation.from, reservation.to, sign * share.processors);
}

void SitePlanner::drop(AdvanceReservation& reservation) {
    fence(reservation, -1);
    for (const PoolShare& share : reservation.shares)
        pools_[share.pool].note_eased();
    reservation = {};
}

// Starts the job in all its pools if its shares are free now.
bool SitePlanner::start_spanning(AdvanceReservation& reservation) {
    const JobId job = reservation.job;
    const bool free = std::all_of(
        reservation.shares.begin(), reservation.shares.end(), [&](const PoolShare& share) {
            return pools_[share.pool].free() - fenced(share.pool, &reservation) >= share.processors;
        });
    if (!free) return false;
    fence(reservation, -1);
    const Time end = ends_.start(job, now_, beliefs_.running(job));
    for (const PoolShare& share : reservation.shares)
        pools_[share.pool].occupy(job, end, share.processors);
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
