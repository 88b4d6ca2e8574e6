#include "planner/pools/spanning_jobs.hpp"

#include <algorithm>
#include <iterator>

namespace slotwise {

namespace {

bool share_a_pool(const AdvanceReservation& one, const AdvanceReservation& other) {
    return std::any_of(one.shares.begin(), one.shares.end(), [&](const PoolShare& share) {
        return std::any_of(other.shares.begin(), other.shares.end(),
                           [&](const PoolShare& its) { return its.pool == share.pool; });
    });
}

} // namespace

SpanningJobs::SpanningJobs(const Parts& parts)
    : in_advance_(parts.context.layout->site.queues.size()), seen_(in_advance_.size()),
      barred_(in_advance_.size()), is_spanned_(parts.context.layout->site.pools.size()) {
    const std::vector<Queue>& queues = parts.context.layout->site.queues;
    for (std::size_t q = 0; q < queues.size(); ++q) {
        if (!queues[q].spanning) continue;
        spanning_.push_back(static_cast<QueueId>(q));
        for (const PoolId pool : queues[q].pools)
            is_spanned_[pool] = true;
    }
    rebind(parts);
}

void SpanningJobs::rebind(const Parts& parts) {
    context_ = &parts.context;
    events_ = &parts.events;
    pools_ = &parts.pools;
    lines_ = &parts.lines;
    promises_ = &parts.promises;
    transitions_ = &parts.transitions;
}

void SpanningJobs::reserve(const Cluster& cluster) {
    if (stands(cluster)) return;
    if (!context_->layout->has_promises) {
        reserve_in_advance(cluster);
        for (const QueueId queue : cluster.spanning)
            seen_[queue] = {lines_->n_spanning_changes(), lines_->n_starving_changes(),
                            events_->n_touched_all()};
        return;
    }
    const auto of_cluster = [&](QueueId queue) { return in_advance_[queue]; };
    std::vector<AdvanceReservation> before;
    std::transform(cluster.spanning.begin(), cluster.spanning.end(), std::back_inserter(before),
                   of_cluster);
    promises_->plan_all(cluster, -1);
    reserve_in_advance(cluster);
    promises_->plan_all(cluster, 1);
    for (std::size_t at = 0; at < before.size(); ++at) {
        const AdvanceReservation& now = in_advance_[cluster.spanning[at]];
        if (before[at].job == now.job && before[at].from == now.from &&
            before[at].shares == now.shares)
            continue;
        for (const PoolShare& share : before[at].shares)
            events_->set_opened(share.pool, true);
    }
}

bool SpanningJobs::stands(const Cluster& cluster) {
    return cluster.keeps_bounds && !context_->layout->site.dependencies &&
           std::all_of(cluster.spanning.begin(), cluster.spanning.end(),
                       [&](QueueId queue) { return stands(queue); });
}

// Returns true if the same job is still first, its usable pools have not changed, and their free
// processors have not increased. If these pools are too small for the job anyway, the number of
// free processors does not matter.
bool SpanningJobs::stands(QueueId queue) {
    const AdvanceReservation& kept = in_advance_[queue];
    Seen& seen = seen_[queue];
    if (kept.from <= context_->now) return false;
    if (seen.n_spanning_changes != lines_->n_spanning_changes() ||
        seen.n_touched_all != events_->n_touched_all())
        return false;
    if (kept.job == kNoJob) return lines_->head_of(queue) == kNoJob;
    if (kept.eased != pools_->eased(kept.usable) && has_room_for(kept)) return false;
    if (seen.n_starving_changes == lines_->n_starving_changes()) return true;
    find_usable(queue);
    if (usable_ != kept.usable) return false;
    seen.n_starving_changes = lines_->n_starving_changes();
    return true;
}

bool SpanningJobs::has_room_for(const AdvanceReservation& kept) const {
    ProcCount processors = 0;
    for (const PoolId pool : kept.usable)
        processors += pools_->plan(pool).processors();
    return processors >= context_->jobs.processors[kept.job];
}

void SpanningJobs::touch_begun() {
    for (const QueueId queue : spanning_)
        if (in_advance_[queue].from <= context_->now)
            for (const PoolShare& share : in_advance_[queue].shares)
                events_->touch(share.pool);
}

Time SpanningJobs::next_begin() const {
    Time next = kNever;
    const bool periodic = context_->policy.passes == Passes::periodic;
    for (const QueueId queue : spanning_) {
        const Time from = in_advance_[queue].from;
        if (from > context_->now || periodic) next = std::min(next, from);
    }
    return next;
}

void SpanningJobs::drop_all() {
    for (AdvanceReservation& reservation : in_advance_)
        drop(reservation);
}

// Makes the reservations of the cluster's spanning queues. Queues whose heads are starving come
// first, ordered by the age of the head; the other queues follow.
void SpanningJobs::reserve_in_advance(const Cluster& cluster) {
    if (cluster.spanning.size() == 1) {
        while (reserve_for_head(cluster.spanning.front())) {
        }
        return;
    }
    std::vector<QueueId> left = cluster.spanning;
    while (!left.empty()) {
        const JobId first = lines_->oldest_starving(left);
        const QueueId queue = first == kNoJob ? left.front() : context_->routing->queue_of[first];
        if (!reserve_for_head(queue)) std::erase(left, queue);
    }
}

// Keeps or renews the reservation of the queue's head. Returns true if the head has started.
bool SpanningJobs::reserve_for_head(QueueId queue) {
    AdvanceReservation& kept = in_advance_[queue];
    const JobId job = lines_->head_of(queue);
    if (kept.job != job) drop(kept);
    if (job == kNoJob) return false;
    if (kept.made() && kept.from == context_->now && start(kept)) return true;
    find_usable(queue);
    const auto is_usable = [&](const PoolShare& share) {
        return std::find(usable_.begin(), usable_.end(), share.pool) != usable_.end();
    };
    if (kept.made() && (kept.from <= context_->now ||
                        !std::all_of(kept.shares.begin(), kept.shares.end(), is_usable)))
        drop(kept);
    if (kept.job == job && kept.usable == usable_ && kept.eased == pools_->eased(usable_) &&
        kept.starves == lines_->starves(job))
        return false;
    return search_for_head(kept, job, usable_);
}

// Reserves the earliest start for the head. The search ignores the reservations of jobs that the
// head precedes. If an ignored reservation shares a pool with the new one, it is dropped and later
// made again. Returns true if the head has started.
bool SpanningJobs::search_for_head(AdvanceReservation& kept, JobId job,
                                   std::vector<PoolId> usable) {
    const Time length = std::max<Time>(context_->jobs.requested_time[job], 1);
    if (!keep_ever(usable, job, length)) return false;
    const Policy& policy = context_->policy;
    const StartGrid grid{context_->jobs.first_submit,
                         policy.passes == Passes::periodic ? policy.period : 1};
    std::vector<AdvanceReservation*> giving_way{&kept};
    for (const QueueId queue : context_->cluster_of(job).spanning)
        if (in_advance_[queue].made() && precedes(job, in_advance_[queue].job))
            giving_way.push_back(&in_advance_[queue]);
    for (const AdvanceReservation* each : giving_way)
        fence(*each, -1);
    AdvanceReservation earlier;
    // Adding announced windows can only delay the start. Each search therefore begins at the start
    // that the previous one found.
    Time from = context_->now;
    int n_searches = 0;
    do {
        if (++n_searches > PoolPlan::kMostSearches) context_->refuse_endless_search(job);
        earlier = earliest_together(context_->layout->site.pools, pools_->plans(), usable,
                                    context_->jobs.processors[job], length, from, kept.from, grid);
        if (earlier.made()) from = earlier.from;
    } while (pools_->reach(usable, earlier.made() ? earlier.to : context_->now));
    for (const AdvanceReservation* each : giving_way)
        fence(*each, 1);
    if (earlier.made()) {
        for (AdvanceReservation* each : giving_way)
            if (each == &kept || share_a_pool(*each, earlier)) drop(*each);
        fence(earlier, 1);
        for (const PoolShare& share : earlier.shares)
            events_->touch(share.pool);
        kept = std::move(earlier);
    }
    kept.job = job;
    kept.eased = pools_->eased(usable);
    kept.starves = lines_->starves(job);
    kept.usable = std::move(usable);
    return kept.made() && kept.from == context_->now && start(kept);
}

// Finds those pools of the queue in which no starving job of another queue may run.
void SpanningJobs::find_usable(QueueId queue) {
    const std::vector<PoolId>& pools = context_->layout->site.queues[queue].pools;
    if (context_->eligibility.all()) {
        usable_.clear();
        for (const PoolId pool : pools)
            if (lines_->starving_for(pool).empty()) usable_.push_back(pool);
        return;
    }
    usable_ = pools;
    for (const QueueId other : context_->cluster_of_queue(queue).queues) {
        if (lines_->starving_in(other).empty()) continue;
        Barred& barred = barred_[other];
        if (barred.n_starving_changes != lines_->n_starving_changes(other)) {
            const bool lasts = find_barred(other, barred.pools);
            barred.n_starving_changes = lasts ? lines_->n_starving_changes(other) : UINT64_MAX;
        }
        std::erase_if(usable_, [&](PoolId pool) {
            return std::find(barred.pools.begin(), barred.pools.end(), pool) != barred.pools.end();
        });
    }
}

// Finds the pools of spanning queues in which a starving job of this queue may run. Returns true if
// the result stays the same until such a job is added or removed.
bool SpanningJobs::find_barred(QueueId queue, std::vector<PoolId>& barred) const {
    barred.clear();
    const PoolQueue& starving = lines_->starving_in(queue);
    const BackfillBounds any = PoolQueue::any(context_->replay.processors);
    bool lasts = context_->eligibility.all();
    for (const PoolId pool : context_->layout->site.queues[queue].pools) {
        if (!is_spanned_[pool]) continue;
        const auto may_run = [&](PoolQueue::Position at) {
            const JobId job = starving.job(at);
            return context_->is_eligible(job) && context_->is_open(pool, job);
        };
        if (starving.next(0, any, may_run) < starving.end())
            barred.push_back(pool);
        else if (context_->layout->site.pools[pool].has_threshold)
            lasts = false;
    }
    return lasts;
}

// Returns false if recurring downtimes would never let the job run in the pools in `usable` alone.
// In that case, the job gets no reservation until starving jobs no longer block the other pools.
bool SpanningJobs::keep_ever(const std::vector<PoolId>& usable, JobId job, Time length) {
    const PoolsLayout& layout = *context_->layout;
    const QueueId queue = context_->routing->queue_of[job];
    if (usable.empty() || usable.size() == layout.site.queues[queue].pools.size()) return true;
    if (layout_of_gaps_ != context_->layout) {
        gaps_ = std::make_shared<const PoolGaps>(layout.site, context_->jobs.first_submit);
        layout_of_gaps_ = context_->layout;
    }
    return gaps_->keep(context_->jobs.processors[job], length, queue, usable);
}

// Returns true if `job`, which is in a spanning queue, precedes `other`. This is the case if `job`
// is starving, and `other` is younger or is not starving.
bool SpanningJobs::precedes(JobId job, JobId other) const {
    return job != kNoJob && lines_->starves(job) && (!lines_->starves(other) || job < other);
}

ProcCount SpanningJobs::fenced(PoolId pool, JobId job) const {
    ProcCount processors = 0;
    for (const QueueId queue :
         context_->layout->clusters[context_->layout->cluster_of[pool]].spanning) {
        const AdvanceReservation& reservation = in_advance_[queue];
        if (reservation.from > context_->now || reservation.to <= context_->now ||
            reservation.job == job || precedes(job, reservation.job))
            continue;
        for (const PoolShare& share : reservation.shares)
            if (share.pool == pool) processors += share.processors;
    }
    return processors;
}

// Adds the reservation's shares to the plans of their pools (sign 1), or removes them (sign −1).
void SpanningJobs::fence(const AdvanceReservation& reservation, int sign) {
    for (const PoolShare& share : reservation.shares) {
        PoolPlan& plan = pools_->plan(share.pool);
        if (sign > 0)
            plan.fence(reservation.from, reservation.to, share.processors);
        else
            plan.unfence(reservation.from, reservation.to, share.processors);
    }
}

void SpanningJobs::drop(AdvanceReservation& reservation) {
    fence(reservation, -1);
    for (const PoolShare& share : reservation.shares) {
        pools_->plan(share.pool).note_eased();
        events_->touch(share.pool);
    }
    has_dropped_ = has_dropped_ || reservation.made();
    reservation = {};
}

// Starts the job in all its pools if its shares are free now.
bool SpanningJobs::start(AdvanceReservation& reservation) {
    const JobId job = reservation.job;
    const bool free = std::all_of(
        reservation.shares.begin(), reservation.shares.end(), [&](const PoolShare& share) {
            return pools_->plan(share.pool).free() - fenced(share.pool, job) >= share.processors;
        });
    if (!free) return false;
    fence(reservation, -1);
    const AdvanceReservation place = std::move(reservation);
    reservation = {};
    const Time end = transitions_->start_spanning(job, place.shares);
    for (const PoolShare& share : place.shares) {
        events_->touch(share.pool);
        if (end < place.to) pools_->plan(share.pool).note_eased();
    }
    return true;
}

// Takes a share of each pool in proportion to its free processors, as for a reservation.
bool SpanningJobs::start_now(JobId job, Time length) {
    const std::vector<PoolId>& pools = context_->queue_of(job).pools;
    const Time now = context_->now;
    pools_->reach(pools, now + length);
    AdvanceReservation place = earliest_together(context_->layout->site.pools, pools_->plans(),
                                                 pools, context_->jobs.processors[job], length, now,
                                                 now + 1, {context_->jobs.first_submit, 1});
    place.job = job;
    fence(place, 1);
    if (place.made() && start(place)) return true;
    fence(place, -1);
    return false;
}

} // namespace slotwise
