// SitePlanner: which waiting jobs are tried where, and what becomes of it.
#include "schedule/site_planner.hpp"
#include "schedule/slowdown_threshold.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace slotwise {

bool SitePlanner::is_open(PoolId p, JobId job) const {
    const Pool& pool = layout_->site.pools[p];
    if (context_.jobs.processors[job] > pool.processors || !routing_->has_room(p, job))
        return false;
    return !pool.has_threshold || factor(job) > pool.threshold;
}

double SitePlanner::factor(JobId job) const {
    return factor_of(now_ - context_.jobs.submit(job), context_.jobs.requested_time[job],
                     queue_of(job));
}

bool SitePlanner::is_eligible(JobId job) const {
    const QueueId queue = routing_->queue_of[job];
    const ProcCount processors = context_.jobs.processors[job];
    return lifted_ ? eligibility_.allows_when_lifted(job, queue, processors, now_)
                   : eligibility_.allows(job, queue, processors, now_);
}

// Until a further sweep would start nobody.
void SitePlanner::sweep_until_settled(const Cluster& cluster) {
    std::size_t before;
    do {
        before = starts_->jobs.size();
        sweep(cluster);
    } while (starts_->jobs.size() > before && n_waiting_ > 0 &&
             (cluster.may_settle_late || has_freed_others()));
}

// Whether a start of this sweep has filled the limit of a waiting job that others had to respect.
bool SitePlanner::has_freed_others() const {
    return std::any_of(respected_.begin(), respected_.end(),
                       [&](JobId job) { return waits(job) && !is_eligible(job); });
}

void SitePlanner::sweep(const Cluster& cluster) {
    reserved_.clear();
    respected_.clear();
    for (const PoolId pool : cluster.pools) {
        asked_[pool] = {lifted_ ? SiteLayout::Backfill{0, true} : layout_->backfills[pool]};
        pools_[pool].drop_reservations();
    }
    line_ = kBeforeLines;
    try_starving(cluster);
    for (const std::size_t at : cluster.lines) {
        const PoolId pool = layout_->lines[at].pool;
        if (asked_[pool].backfill.promises) continue;
        line_ = at;
        if (layout_->site.pools[pool].has_threshold)
            try_passed(pool, lines_[at].passed);
        else
            try_line(layout_->lines[at], lines_[at].waiting);
    }
    // Of other pools they are kept: an arrival alone is tried against them.
    for (const PoolId pool : cluster.pools) {
        if (layout_->is_stepped[pool]) pools_[pool].drop_reservations();
        if (layout_->backfills[pool].relaxes && asked_[pool].blocked_by == kNoJob)
            deadlines_[pool].job = kNoJob;
    }
}

// Where nothing but one arrival has happened, and all waiting jobs are in vain where they were
// before: tries that one alone. False: the cluster is to be swept.
//
// Example: pool A is full until 100, its head reserved from there on with 2 to spare. A job on 1
// processor arrives, of lower priority than the head: whether it starts is asked of the reservation
// the last sweep has left. Had it higher priority, the reservation would become its own, and
// those behind the old head might fit.
bool SitePlanner::settle_arrival(JobId job) {
    const QueueId queue = routing_->queue_of[job];
    const Cluster& cluster = layout_->clusters[layout_->cluster_of_queue(queue)];
    const auto some_head_is_lost = [&] {
        return std::any_of(cluster.pools.begin(), cluster.pools.end(), [&](PoolId pool) {
            const JobId head = asked_[pool].blocked_by;
            return head != kNoJob && (!waits(head) || !is_eligible(head));
        });
    };
    if (!waits(job) || starves(job) || (eligibility_.has_hours() && some_head_is_lost()))
        return false;
    if (!is_eligible(job)) return true;
    const QueueOrders::Key key = layout_->orders.key(context_.jobs, job, queue);
    for (const std::size_t at : layout_->lines_of[queue]) {
        const PoolId pool = layout_->lines[at].pool;
        if (!is_open(pool, job)) continue;
        if (layout_->site.pools[pool].has_threshold) return false;
        const Asked& asked = asked_[pool];
        if (asked.blocked() && asked.line != kBeforeLines &&
            (at < asked.line ||
             (at == asked.line &&
              !(layout_->orders.key(context_.jobs, asked.blocked_by,
                                    routing_->queue_of[asked.blocked_by]) < key))))
            return false;
        line_ = at;
        if (!asked.blocked() && asked.backfill.reservations > 0 &&
            !pools_[pool].has_room(beliefs_.waiting(job), context_.jobs.processors[job]))
            return false;
        if (try_in(job, pool)) // which may fill the limit of a head
            return !layout_->counts_queued && !(eligibility_.has_limits() && some_head_is_lost());
    }
    return true;
}

// Oldest first, each in its pools in its queue's order. Of a long list few may fit: what no pool
// of the cluster holds is passed over at the cost of a comparison.
void SitePlanner::try_starving(const Cluster& cluster) {
    if (starving_.empty()) return;
    ProcCount widest = 0;
    const auto look = [&] {
        widest = 0;
        for (const PoolId pool : cluster.pools)
            widest = std::max(widest, rooms_[pool].available);
    };
    for (const PoolId pool : cluster.pools)
        rooms_[pool] = room_to_try(pool);
    look();
    for (const JobId job : starving_) {
        if (context_.jobs.processors[job] > widest || !waits(job)) continue;
        const QueueId queue = routing_->queue_of[job];
        if (&layout_->clusters[layout_->cluster_of_queue(queue)] != &cluster || !is_eligible(job))
            continue;
        for (const PoolId pool : queue_of(job).pools) {
            if (!holds(rooms_[pool], job) || !is_open(pool, job)) continue;
            const bool has_started = try_in(job, pool);
            rooms_[pool] = room_to_try(pool);
            look();
            if (has_started) break;
        }
        if (widest == 0) return;
    }
}

void SitePlanner::try_line(const SiteLayout::Line& asked, const WaitingLine& line) {
    if (!asked.drifts) return try_in_order(asked.pool, line, 0, line.end());
    for (WaitingLine::Place from = 0, to; from < line.end() && !is_spent(asked.pool); from = to) {
        to = line.end_of_group(from);
        if (const Order* order = layout_->orders.drifting(line.key(from).group))
            try_by_score(asked.pool, line, from, to, *order);
        else
            try_in_order(asked.pool, line, from, to);
    }
}

void SitePlanner::try_in_order(PoolId pool, const WaitingLine& line, WaitingLine::Place from,
                               WaitingLine::Place to) {
    Room room = room_to_try(pool);
    for (WaitingLine::Place at = line.next(from, room); at < to && !is_spent(pool);
         at = line.next(at + 1, room))
        if (try_waiting(line.job(at), pool)) room = room_to_try(pool);
}

// Highest score first.
void SitePlanner::try_by_score(PoolId pool, const WaitingLine& line, WaitingLine::Place from,
                               WaitingLine::Place to, const Order& order) {
    bool counted = asked_[pool].counts_in_vain();
    Room room = room_to_try(pool);
    score(line, from, to, room, order);
    while (!is_spent(pool) && !scored_.empty()) {
        const JobId job = scored_.take_highest();
        if (!holds(room, job) || !try_waiting(job, pool)) continue;
        room = room_to_try(pool);
        if (counted && !asked_[pool].counts_in_vain())
            scored_.keep_if([&](JobId other) { return holds(room, other); });
        counted = asked_[pool].counts_in_vain();
    }
}

// Tries a job of a line; whether that has changed what is worth a try.
bool SitePlanner::try_waiting(JobId job, PoolId pool) {
    if (!waits(job) || starves(job) || !routing_->has_room(pool, job) || !is_eligible(job))
        return false;
    const bool counts = asked_[pool].counts_in_vain();
    return try_in(job, pool) || counts;
}

// Where a try in vain changes nothing, only a job that may fit is worth one.
Room SitePlanner::room_to_try(PoolId pool) const {
    if (asked_[pool].backfill.promises) return {0, 0, 0};
    return asked_[pool].counts_in_vain() ? WaitingLine::any(pools_[pool].processors())
                                         : pools_[pool].room();
}

bool SitePlanner::holds(const Room& room, JobId job) const {
    const ProcCount processors = context_.jobs.processors[job];
    return processors <= room.available &&
           (processors <= room.spare || beliefs_.waiting(job) <= room.longest);
}

// Lists, by score, the jobs in [from, to) that `room` holds.
void SitePlanner::score(const WaitingLine& line, WaitingLine::Place from, WaitingLine::Place to,
                        const Room& room, const Order& order) {
    std::vector<JobId>& jobs = scored_.listed();
    jobs.clear();
    // A start may let in the next of a user's jobs; else who is not eligible now stays so.
    const bool may_ease = layout_->counts_queued;
    line.for_each(from, to, room, [&](JobId job) {
        if (may_ease || is_eligible(job)) jobs.push_back(job);
    });
    scored_.score(order, context_.jobs, now_);
}

std::vector<JobId> SitePlanner::jobs_in_order(const WaitingLine& line) {
    const Room anybody = WaitingLine::any(context_.processors);
    std::vector<JobId> jobs;
    for (WaitingLine::Place from = 0, to; from < line.end(); from = to) {
        to = line.end_of_group(from);
        if (const Order* order = layout_->orders.drifting(line.key(from).group)) {
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                jobs.push_back(scored_.take_highest());
        } else {
            line.for_each(from, to, anybody, [&](JobId job) { jobs.push_back(job); });
        }
    }
    return jobs;
}

// Largest factor first.
void SitePlanner::try_passed(PoolId pool, const std::vector<JobId>& passed) {
    std::vector<Passed>& jobs = scratch_passed_;
    jobs.clear();
    for (const JobId job : passed)
        if (waits(job) && !starves(job) && is_open(pool, job))
            jobs.push_back({context_.jobs.by_hand(job), factor(job), job});
    std::sort(jobs.begin(), jobs.end(), [](const Passed& a, const Passed& b) {
        if (a.by_hand != b.by_hand) return a.by_hand > b.by_hand;
        return a.factor != b.factor ? a.factor > b.factor : a.job < b.job;
    });
    for (const Passed& passer : jobs) {
        if (is_spent(pool)) return;
        if (is_eligible(passer.job)) try_in(passer.job, pool);
    }
}

// Whether no further try can change anything.
bool SitePlanner::is_spent(PoolId pool) const {
    const Asked& asked = asked_[pool];
    return asked.is_closed() || (asked.backfill.reservations == 0 && pools_[pool].free() == 0);
}

bool SitePlanner::try_in(JobId job, PoolId pool) {
    Asked& asked = asked_[pool];
    if (asked.is_closed()) return false;
    const ProcCount processors = context_.jobs.processors[job];
    const Duration length = beliefs_.waiting(job);
    // Past a deadline that is over nobody is let, however short.
    const bool is_late =
        asked.backfill.relaxes && asked.backfill.reservations == 0 && deadlines_[pool].at < now_;
    if (pools_[pool].has_room(is_late ? std::max<Time>(length, 1) : length, processors) &&
        processors <= pools_[pool].free() - fenced(pool, kNoJob)) {
        start(job, pool, asked.blocked(), length_at_start(job));
        return true;
    }
    const bool is_first = !asked.blocked();
    if (is_first) {
        asked.blocked_by = job;
        asked.line = line_;
    }
    const bool reserves = asked.backfill.reservations > 0 && may_reserve(job, pool);
    if (reserves) {
        reserve(job, pool, std::max<Time>(length, 1));
        --asked.backfill.reservations;
    }
    if ((is_first || reserves) && eligibility_.has_limits()) respected_.push_back(job);
    return false;
}

// Under `relaxed` at the deadline the job was given when it became the head of the pool.
void SitePlanner::reserve(JobId job, PoolId pool, Time length) {
    const ProcCount processors = context_.jobs.processors[job];
    if (!asked_[pool].backfill.relaxes) {
        if (!pools_[pool].reserve(length, processors)) refuse_endless_search(job);
        return;
    }
    constexpr double longest_delay = 3.2e8; // ten years: as far as a calendar is ever planned
    Deadline& deadline = deadlines_[pool];
    if (deadline.job != job) {
        const Time shadow = pools_[pool].earliest(length, processors, now_);
        if (shadow == kNever) refuse_endless_search(job);
        const auto faced = static_cast<double>(shadow - context_.jobs.submit(job));
        const auto delay = std::min(context_.policy.relaxation * faced, longest_delay);
        const Time latest = shadow + static_cast<Time>(delay);
        deadline = {job, pools_[pool].earliest(length, processors, latest)};
        if (deadline.at == kNever) refuse_endless_search(job);
    }
    pools_[pool].reserve_at(deadline.at, length, processors);
}

// A job for which there is no place is rejected as it is submitted: this is for what that
// overlooks.
void SitePlanner::refuse_endless_search(JobId job) const {
    const auto& ids = context_.jobs.table->job_id;
    throw std::runtime_error(
        "no place is found for job " + std::to_string(ids.empty() ? job : ids[job]) + ", of " +
        std::to_string(context_.jobs.processors[job]) + " processors for " +
        std::to_string(context_.jobs.requested_time[job]) +
        " s: what recurs in the calendar always bars the way, though it should have been rejected; "
        "leave the job out, and report this as a fault of Slotwise");
}

// Where each queue has one reservation, its first blocked job takes it.
bool SitePlanner::may_reserve(JobId job, PoolId pool) {
    if (!asked_[pool].backfill.by_queue) return true;
    const std::pair head{pool, routing_->queue_of[job]};
    if (std::find(reserved_.begin(), reserved_.end(), head) != reserved_.end()) return false;
    reserved_.push_back(head);
    return true;
}

bool SitePlanner::any_eligible() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](JobId job) { return waits(job) && is_eligible(job); });
}

// What the site's limits of one user or group hold back, as `none` would start it, and who is the
// first of his user by such a start.
void SitePlanner::start_when_idle(const Cluster& cluster) {
    lifted_ = true;
    sweep(cluster);
    lifted_ = false;
}

// Where starts are promised a job is planned for a second at least.
Time SitePlanner::length_at_start(JobId job) const {
    return std::max<Time>(beliefs_.running(job), layout_->has_promises ? 1 : 0);
}

void SitePlanner::start(JobId job, PoolId pool, bool past_another, Time length) {
    const Time end = ends_.start(job, now_, static_cast<Duration>(length));
    pools_[pool].occupy(end, context_.jobs.processors[job]);
    note_started(job, pool, past_another);
}

// kAnyPool: it has started in several.
void SitePlanner::note_started(JobId job, PoolId pool, bool past_another) {
    pool_of_[job] = pool;
    if (layout_->has_calendar) running_.insert(job);
    eligibility_.note_started(job, routing_->queue_of[job], context_.jobs.processors[job]);
    leave_queue(job);
    starts_->add(job, past_another);
}

} // namespace slotwise
