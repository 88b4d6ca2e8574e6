// Part of PoolSweep: the order in which the jobs of a line are tried, and the result of each try.
#include "planner/pools/pool_sweep.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns the first slot of the shape, from `from` onwards, whose job is shorter than
// `refused_from`, or end(shape) if there is none. Jobs of this length or longer cannot start.
DemandQueue::Slot next_to_try(DemandQueue& waiting, std::uint32_t shape, DemandQueue::Slot from,
                              Time refused_from) {
    if (refused_from <= waiting.least(shape)) return waiting.end(shape);
    const auto longest = static_cast<Duration>(std::min<Time>(refused_from - 1, kMaxDuration));
    const DemandQueue::Slot slot = waiting.next(shape, from, longest);
    if (slot == waiting.end(shape) && from == waiting.begin(shape))
        waiting.raise_least(shape, longest + 1);
    return slot;
}

} // namespace

// Tries starving jobs, the oldest first. Each job is tried in the pools of its queue, in the order
// in which the queue lists them. Meanwhile, further pools may join the sweep.
void PoolSweep::try_starving() {
    cursors_.clear();
    for (JobId last = kNoJob;;) {
        for (std::size_t i = cursors_.size(); i < joined_.size(); ++i)
            cursors_.push_back({joined_[i]});
        const Cursor* next = next_starving(last);
        if (next == nullptr) return;
        last = next->job;
        if (context_->is_eligible(last)) try_in_its_pools(last);
    }
}

// Tries a starving job in the pools of its queue until it starts. Each try may narrow the bounds of
// the pool. If the job starts, the next identical job may join the lists of starving jobs.
void PoolSweep::try_in_its_pools(JobId job) {
    for (const PoolId pool : context_->queue_of(job).pools) {
        if (!holds(bounds_[pool], job) || !context_->is_open(pool, job)) continue;
        const bool has_started = try_start(job, pool);
        bounds_[pool] = bounds_to_try(pool);
        for (Cursor& cursor : cursors_)
            if (has_started || cursor.pool == pool) cursor.is_known = false;
        if (has_started) return;
    }
}

// Returns the oldest starving job that comes after `last` and may fit somewhere, or null if there
// is none. If `last` is kNoJob, considers all starving jobs.
PoolSweep::Cursor* PoolSweep::next_starving(JobId last) {
    Cursor* oldest = nullptr;
    for (Cursor& cursor : cursors_) {
        if (!cursor.is_known || cursor.job == last) find_next(cursor, last);
        if (cursor.job != kNoJob && (oldest == nullptr || cursor.job < oldest->job))
            oldest = &cursor;
    }
    return oldest;
}

// Moves the cursor to the next job that may fit. During a sweep, bounds only become narrower, and
// jobs are added only behind the last job that was tried. The search therefore continues from that
// job.
void PoolSweep::find_next(Cursor& cursor, JobId last) {
    const PoolQueue& line = lines_->starving_for(cursor.pool);
    const BackfillBounds& bounds = bounds_[cursor.pool];
    cursor.is_known = true;
    cursor.job = kNoJob;
    if (bounds.free == 0 || line.empty()) return;
    PoolQueue::Position at = line.next(cursor.from, bounds);
    for (; at < line.end() && last != kNoJob && line.job(at) <= last;
         at = line.next(at + 1, bounds))
        cursor.from = at + 1;
    if (at < line.end()) cursor.job = line.job(at);
}

void PoolSweep::try_line(const PoolsLayout::PoolLineFacts& asked, const PoolQueue& line) {
    if (!asked.drifts) return try_in_order(asked.pool, line, 0, line.end());
    for (PoolQueue::Position from = 0, to; from < line.end() && !is_spent(asked.pool); from = to) {
        to = line.end_of_group(from);
        const std::size_t behind = line.end() - to;
        if (const Order* order = context_->layout->orders.drifting(line.key(from).group))
            try_by_score(asked.pool, line, from, to, *order);
        else
            try_in_order(asked.pool, line, from, to);
        to = line.end() - behind;
    }
}

// Tries the jobs of a line in order. When a job starts, an identical job further back in its group
// may become the next one to try. On a machine with nodes, jobs are tried by shape once a job
// blocks the pool.
void PoolSweep::try_in_order(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                             PoolQueue::Position to) {
    const std::size_t behind = line.end() - to;
    NodePools* nodes = pools_->machine().nodes();
    std::span<const Time> refused_from;
    const std::span<const std::uint32_t> shape_of =
        nodes ? nodes->shapes().numbers() : std::span<const std::uint32_t>();
    BackfillBounds bounds = bounds_to_try(pool);
    const auto skips_refused = [&] {
        const bool skips = nodes != nullptr && !asked_[pool].counts_misfits();
        if (skips) refused_from = nodes->refused().known_from(pool);
        return skips;
    };
    bool skips = skips_refused();
    const auto is_worth_it = [&](PoolQueue::Position at) {
        return !skips || refused_from[shape_of[line.job(at)]] > line.length(at);
    };
    bool is_over = is_spent(pool);
    if (skips && lines_->by_shape() != nullptr && !is_over) return try_by_shape(pool, nullptr);
    for (PoolQueue::Position at = line.next(from, bounds, is_worth_it);
         at < line.end() - behind && !is_over; at = line.next(at + 1, bounds, is_worth_it)) {
        const JobId job = line.job(at);
        if (!try_waiting(job, pool)) continue;
        bounds = bounds_to_try(pool);
        skips = skips_refused();
        is_over = is_spent(pool);
        if (!skips || is_over || lines_->by_shape() == nullptr) continue;
        const QueueRanking::Key key = context_->key(job);
        return try_by_shape(pool, &key);
    }
}

// Tries the jobs behind `after` in order, or all jobs if `after` is null. Skips jobs whose shape
// and length are known to be refused. If a try adds announced windows to the plan, some of these
// refusals may be dropped.
void PoolSweep::try_by_shape(PoolId pool, const QueueRanking::Key* after) {
    DemandQueue& waiting = *lines_->by_shape();
    RefusedShapes refused = pools_->machine().nodes()->refused();
    std::uint64_t n_eased = refused.n_eased();
    ProcCount most = bounds_to_try(pool).free;
    list_shapes(pool, after);
    while (!of_shapes_.empty() && !is_spent(pool)) {
        std::pop_heap(of_shapes_.begin(), of_shapes_.end());
        const auto [key, slot] = of_shapes_.back();
        of_shapes_.pop_back();
        const JobId job = waiting.job(slot);
        const std::uint32_t shape = waiting.demand_of(job);
        const Duration length = context_->estimates.waiting(job);
        const bool has_started = try_waiting(job, pool);
        if (has_started) most = bounds_to_try(pool).free;
        if (refused.n_eased() != n_eased) {
            n_eased = refused.n_eased();
            list_shapes(pool, &key);
            continue;
        }
        const bool is_refused = !has_started && refused.from(shape) <= length;
        const DemandQueue::Slot next =
            next_to_try(waiting, shape, is_refused ? slot : slot + 1, refused.from(shape));
        if (next == waiting.end(shape) || context_->jobs.processors[job] > most) continue;
        of_shapes_.push_back({context_->key(waiting.job(next)), next});
        std::push_heap(of_shapes_.begin(), of_shapes_.end());
    }
}

// Lists, for each shape, the first job behind `after` that is not refused. If `after` is null,
// considers all jobs of the shape.
void PoolSweep::list_shapes(PoolId pool, const QueueRanking::Key* after) {
    DemandQueue& waiting = *lines_->by_shape();
    RefusedShapes refused = pools_->machine().nodes()->refused();
    const std::span<const Time> known_from = refused.known_from(pool);
    const ProcCount most = bounds_to_try(pool).free;
    const auto comes = [&](JobId job) { return *after < context_->key(job); };
    of_shapes_.clear();
    for (const std::uint32_t shape : waiting.demands()) {
        if (refused.pool_of(shape) != pool || known_from[shape] <= waiting.least(shape)) continue;
        const Time refused_from = refused.from(shape);
        DemandQueue::Slot slot = next_to_try(waiting, shape, waiting.begin(shape), refused_from);
        if (slot == waiting.end(shape) || context_->jobs.processors[waiting.job(slot)] > most)
            continue;
        if (after != nullptr && !comes(waiting.job(slot)))
            slot = next_to_try(waiting, shape, waiting.first_where(shape, comes), refused_from);
        if (slot != waiting.end(shape))
            of_shapes_.push_back({context_->key(waiting.job(slot)), slot});
    }
    std::make_heap(of_shapes_.begin(), of_shapes_.end());
}

// Tries the job with the highest score first. Once a job blocks the pool, only jobs that may fit
// alongside it remain in the list. Jobs that were skipped earlier are tried in the next sweep.
void PoolSweep::try_by_score(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                             PoolQueue::Position to, const Order& order) {
    bool counted = asked_[pool].counts_misfits();
    BackfillBounds bounds = bounds_to_try(pool);
    lines_->score(line, from, to, bounds, order);
    while (!is_spent(pool) && !lines_->scored().empty()) {
        const JobId job = lines_->scored().take_highest();
        if (!holds(bounds, job) || !try_waiting(job, pool)) continue;
        bounds = bounds_to_try(pool);
        if (counted && !asked_[pool].counts_misfits()) {
            counted = false;
            lines_->scored().keep_if([&](JobId other) { return holds(bounds, other); });
        } else if (!lines_->waits(job) && transitions_->successor() != kNoJob) {
            lines_->scored().add(transitions_->successor(), order, context_->jobs, context_->now);
        }
    }
}

// Tries a job of a line. Returns true if this may have changed the bounds on the jobs tried later.
bool PoolSweep::try_waiting(JobId job, PoolId pool) {
    if (!lines_->waits(job) || lines_->starves(job)) return false;
    const bool counts = asked_[pool].counts_misfits();
    if (!counts && pools_->room().is_refused(job, context_->estimates.waiting(job))) return false;
    if (!context_->routing->fits_now(pool, job) || !context_->is_eligible(job)) return false;
    return try_start(job, pool) || counts;
}

// Returns the bounds within which jobs are worth trying. If trying a job that does not fit would
// change nothing, only jobs that fit are worth trying.
BackfillBounds PoolSweep::bounds_to_try(PoolId pool) const {
    if (asked_[pool].backfill.promises) return {0, 0, 0};
    return asked_[pool].counts_misfits() ? PoolQueue::any(pools_->plan(pool).processors())
                                         : pools_->room().bounds(pool);
}

// Tries the jobs above the threshold, the one with the largest slowdown factor first.
void PoolSweep::try_passed(PoolId pool, const std::vector<JobId>& passed) {
    const Pool& its = context_->layout->site.pools[pool];
    std::vector<Passed>& jobs = scratch_passed_;
    jobs.clear();
    bool counted = asked_[pool].counts_misfits();
    BackfillBounds bounds = bounds_to_try(pool);
    for (const JobId job : passed)
        list_passed(its, bounds, job);
    std::make_heap(jobs.begin(), jobs.end());
    while (!jobs.empty() && !is_spent(pool)) {
        std::pop_heap(jobs.begin(), jobs.end());
        const JobId job = jobs.back().job;
        jobs.pop_back();
        if (!lines_->waits(job) || !holds(bounds, job) || !context_->is_eligible(job)) continue;
        const bool has_started = try_start(job, pool);
        if (!has_started && !counted) continue;
        bounds = bounds_to_try(pool);
        if (counted && !asked_[pool].counts_misfits()) {
            counted = false;
            std::erase_if(jobs, [&](const Passed& other) { return !holds(bounds, other.job); });
            std::make_heap(jobs.begin(), jobs.end());
        }
        if (!has_started || transitions_->successor() == kNoJob) continue;
        const std::size_t listed = jobs.size();
        list_passed(its, bounds, transitions_->successor());
        if (jobs.size() > listed) std::push_heap(jobs.begin(), jobs.end());
    }
}

// Lists a job above the threshold, if it may fit. Its factor will never fall below the threshold
// again.
void PoolSweep::list_passed(const Pool& pool, const BackfillBounds& bounds, JobId job) {
    if (!lines_->waits(job) || lines_->starves(job) || !holds(bounds, job)) return;
    const double its_factor = context_->factor(job);
    if (its_factor > pool.threshold)
        scratch_passed_.push_back({context_->jobs.manual_priority(job), its_factor, job});
}

// Returns true if trying further jobs would change nothing.
bool PoolSweep::is_spent(PoolId pool) const {
    const Asked& asked = asked_[pool];
    return asked.is_closed() || (asked.backfill.reservations == 0 && pools_->room().is_full(pool));
}

bool PoolSweep::try_start(JobId job, PoolId pool) {
    Asked& asked = asked_[pool];
    if (asked.is_closed()) return false;
    const ProcCount processors = context_->jobs.processors[job];
    const Duration length = context_->estimates.waiting(job);
    // Once the deadline has passed, no job may overtake the head, not even a job of length 0.
    const bool is_late = asked.backfill.relaxes && asked.backfill.reservations == 0 &&
                         deadlines_[pool].at < context_->now;
    if (pools_->room().fits_now(pool, job, is_late ? std::max<Time>(length, 1) : length) &&
        (pools_->machine().by_job() != nullptr ||
         processors <= pools_->plan(pool).free() - spanning_->fenced(pool, kNoJob))) {
        if (!may_start_on_found(job)) {
            pools_->machine().nodes()->note_misplaced(job, length);
            return false;
        }
        transitions_->start(job, pool, asked.blocked(), context_->length_at_start(job));
        if (is_sweeping_) pass_on(job);
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
    if (is_first || reserves) asked.last_blocked = job;
    if ((is_first || reserves) && context_->eligibility.has_limits()) respected_.push_back(job);
    return false;
}

// Returns false if the nodes found for the job would exceed a limit on nodes. The job is then not
// eligible.
bool PoolSweep::may_start_on_found(JobId job) const {
    return !context_->eligibility.counts_nodes() || pools_->machine().nodes() == nullptr ||
           context_->eligibility.allows_on(job, context_->routing->queue_of[job],
                                           pools_->machine().nodes()->found());
}

// Reserves room for the job at its earliest possible start. Under the `relaxed` rule, reserves it
// at the deadline that was set when the job became the head of the pool.
void PoolSweep::reserve(JobId job, PoolId pool, Time length) {
    if (!asked_[pool].backfill.relaxes) {
        if (!pools_->room().reserve(pool, job, length)) context_->refuse_endless_search(job);
        return;
    }
    // The delay is capped at about ten years, because calendars are planned no further ahead.
    constexpr double longest_delay = 3.2e8;
    Deadline& deadline = deadlines_[pool];
    if (deadline.job != job) {
        const Time shadow = pools_->room().earliest(pool, job, length, context_->now);
        if (shadow == kNever) context_->refuse_endless_search(job);
        const auto faced = static_cast<double>(shadow - context_->jobs.submit(job));
        const auto delay = std::min(asked_[pool].backfill.relaxation * faced, longest_delay);
        const Time latest = shadow + static_cast<Time>(delay);
        deadline = {job, pools_->room().earliest(pool, job, length, latest)};
        if (deadline.at == kNever) context_->refuse_endless_search(job);
    }
    pools_->room().reserve_at(pool, job, deadline.at, length);
}

// Returns true if the job may get one of the remaining reservations. If queues have their own
// reservations, only the first blocked job of each queue gets one.
bool PoolSweep::may_reserve(JobId job, PoolId pool) {
    if (!asked_[pool].backfill.by_queue) return true;
    const std::pair head{pool, context_->routing->queue_of[job]};
    if (std::find(reserved_.begin(), reserved_.end(), head) != reserved_.end()) return false;
    reserved_.push_back(head);
    return true;
}

} // namespace slotwise
