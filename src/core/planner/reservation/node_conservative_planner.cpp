#include "planner/reservation/node_conservative_planner.hpp"

#include <algorithm>

namespace slotwise {

NodeConservativePlanner::NodeConservativePlanner(const ReplayContext& context,
                                                 std::shared_ptr<const JobDemands> jobs)
    : context_(context), node_jobs_(std::move(jobs)), demands_(node_jobs_),
      plan_(node_jobs_->nodes, context.jobs.first_submit, NodePlan::Full::takes_all),
      queue_(context.policy.order, context.jobs), places_(context.jobs.size()),
      promises_(context.jobs.size()) {}

NodeConservativePlanner::NodeConservativePlanner(const NodeConservativePlanner& other,
                                                 const ReplayContext& context)
    : Scheduler(other), context_(context), node_jobs_(other.node_jobs_), demands_(other.demands_),
      plan_(other.plan_), queue_(other.queue_, context.policy.order, context.jobs),
      places_(other.places_), promises_(other.promises_), freed_(other.freed_),
      idle_until_(other.idle_until_), forgotten_(other.forgotten_),
      seen_by_all_(other.seen_by_all_) {}

Time NodeConservativePlanner::length(JobId job) const {
    const bool exact = context_.policy.estimates == Estimates::exact;
    const Duration length = exact ? context_.jobs.run_time[job] : context_.jobs.requested_time[job];
    return std::max<Time>(length, 1);
}

bool NodeConservativePlanner::finish(std::span<const JobId> ended, Time now) {
    plan_.advance(now);
    bool any = false;
    for (const JobId job : ended) {
        const Time end = context_.schedule.start[job] + length(job);
        if (end <= now) continue;
        plan_.vacate(places_.of(job), each(job), now, end);
        any = true;
    }
    return any;
}

void NodeConservativePlanner::enqueue(std::span<const JobId> arrived) {
    for (const JobId job : arrived)
        if (node_jobs_->can_run[node_jobs_->kind_of[job]] != 0) queue_.insert(job);
}

void NodeConservativePlanner::start_on(JobId job, std::span<const Place> places,
                                       bool past_a_waiting_job, Starts& starts) {
    places_.set(job, places);
    starts.add(job, past_a_waiting_job);
}

void NodeConservativePlanner::pass(const Instant& instant, Starts& starts) {
    const Time now = instant.now;
    const std::size_t n_known = freed_.size();
    note_freed(instant.ended, now);
    const bool early = finish(instant.ended, now);
    if (queue_.size() == 0) {
        forgotten_ += freed_.size();
        freed_.clear();
        longest_idle_.clear();
        idle_until_.clear();
        seen_by_all_ = forgotten_;
    } else if (early) {
        for (std::size_t i = n_known; i < freed_.size(); ++i)
            note_idle(i);
        compress(now);
    }
    enqueue(instant.arrived);
    arrivals_.clear();
    if (!instant.arrived.empty()) {
        queue_.sort_at(now);
        for (const JobId job : queue_.jobs())
            if (promises_[job].start == kNever) arrivals_.push_back(job);
    }
    for (const JobId job : arrivals_) {
        give(job, plan_.earliest(demands_.of(job), length(job), now));
        promises_[job].seen = forgotten_ + freed_.size();
    }
    start_due(now, starts);
}

void NodeConservativePlanner::note_freed(std::span<const JobId> ended, Time now) {
    for (const JobId job : ended) {
        const Time end = context_.schedule.start[job] + length(job);
        const auto places = places_.of(job);
        if (end > now) freed_.push_back({{places.begin(), places.end()}, now, end});
    }
}

// Lists the spans during which the released places of freed_[i] are idle.
void NodeConservativePlanner::note_idle(std::size_t i) {
    Freed& freed = freed_[i];
    idle_spans_.clear();
    plan_.visit_free(freed.places, freed.begin, freed.end, true, [&](IdleSpan idle) {
        idle_spans_.push_back(idle);
        idle_until_[idle.end] = forgotten_ + freed_.size();
        freed.idle_until = std::max(freed.idle_until, idle.end);
    });
    std::sort(idle_spans_.begin(), idle_spans_.end(),
              [](const IdleSpan& a, const IdleSpan& b) { return a.begin < b.begin; });
    Time longest = 0;
    for (const IdleSpan idle : idle_spans_) {
        if (idle.end - idle.begin <= longest) continue;
        longest = idle.end - idle.begin;
        freed.idle.push_back(idle);
    }
    longest_idle_.push_back(longest);
}

void NodeConservativePlanner::measure(Freed& freed) {
    freed.is_measured = true;
    plan_.visit_free(freed.places, freed.begin, freed.end, false, [&](IdleSpan free) {
        freed.longest = std::max(freed.longest, free.end - free.begin);
        freed.first = std::min(freed.first, free.begin);
        freed.last = std::max(freed.last, free.end);
    });
}

// Moves each promise to the earliest start that is possible once its own reservation is removed.
void NodeConservativePlanner::compress(Time now) {
    const std::size_t freed_by_ends = forgotten_ + freed_.size();
    const auto n_seen = static_cast<std::ptrdiff_t>(seen_by_all_ - forgotten_);
    freed_.erase(freed_.begin(), freed_.begin() + n_seen);
    longest_idle_.erase(longest_idle_.begin(), longest_idle_.begin() + n_seen);
    forgotten_ = seen_by_all_;
    if (idle_until_.size() > kManyEnds)
        std::erase_if(idle_until_, [&](const auto& end) { return end.second <= forgotten_; });
    seen_by_all_ = freed_by_ends;
    queue_.sort_at(now);
    for (const JobId job : queue_.jobs()) {
        Promise& promise = promises_[job];
        if (promise.start <= now) continue;
        const Range range = starts_freed(job, now);
        promise.seen = forgotten_ + freed_.size();
        if (range.from >= range.until) continue;
        const Time start = promise.start;
        const Time earlier = plan_.earlier(demands_.of(job), length(job), range.from, range.until,
                                           start, promise.places);
        if (earlier != kNever) move(job, earlier);
    }
}

// Lists the idle spans only after the promise has moved, so that they exclude the time that the
// job still occupies.
void NodeConservativePlanner::move(JobId job, Time earlier) {
    Promise& promise = promises_[job];
    const Time start = promise.start;
    const Time end = start + length(job);
    freed_.push_back({promise.places, start, end});
    if (demands_.of(job).takes_whole_nodes) {
        plan_.move(demands_.of(job), length(job), start, earlier, promise.places);
        promise.start = earlier;
    } else {
        plan_.vacate(promise.places, each(job), start, end);
        give(job, earlier);
    }
    note_idle(freed_.size() - 1);
}

NodeConservativePlanner::Range NodeConservativePlanner::starts_that_meet(const Freed& freed,
                                                                         const Promise& promise,
                                                                         Time length, Time now) {
    return {std::max(now, freed.begin - length + 1), std::min(promise.start, freed.end)};
}

// Returns a range that contains every start before the promised one that may have become possible
// since the promise was last examined. Only released places can make a start possible.
NodeConservativePlanner::Range NodeConservativePlanner::starts_freed(JobId job, Time now) {
    const Promise& promise = promises_[job];
    const PlannedDemand& asked = demands_.of(job);
    const Time needed = length(job);
    const std::size_t seen = std::max(promise.seen, forgotten_) - forgotten_;
    if (asked.takes_whole_nodes) return idle_starts_freed(promise, seen, needed, now);
    // First tests the starts of all releases together. For most promises, this already shows that
    // no earlier start is possible.
    Range all;
    for (std::size_t i = seen; i < freed_.size(); ++i) {
        const Range of = starts_that_meet(freed_[i], promise, needed, now);
        if (of.from < of.until) all = {std::min(all.from, of.from), std::max(all.until, of.until)};
    }
    Range range;
    if (all.from >= all.until ||
        !plan_.may_start(asked, needed, all.from, all.until, promise.start))
        return range;
    for (std::size_t i = seen; i < freed_.size(); ++i) {
        Freed& freed = freed_[i];
        const auto [from, until] = starts_that_meet(freed, promise, needed, now);
        if (from >= until || (from >= range.from && until <= range.until)) continue;
        if (!freed.is_measured) measure(freed);
        if (freed.longest < needed && (promise.start < freed.first || promise.start > freed.last))
            continue;
        if (!plan_.may_start(asked, needed, from, until, promise.start)) continue;
        if (!plan_.may_use(asked, needed, freed.places, from, until, promise.start, promise.places))
            continue;
        range = {std::min(range.from, from), std::max(range.until, until)};
    }
    return range;
}

// Does the same as starts_freed(), for a job whose units take whole nodes. Does not call
// may_start() or may_use(), because for such jobs they take as long as the search itself.
NodeConservativePlanner::Range NodeConservativePlanner::idle_starts_freed(const Promise& promise,
                                                                          std::size_t seen,
                                                                          Time length,
                                                                          Time now) const {
    const auto adjoined = idle_until_.find(promise.start);
    const bool adjoins =
        adjoined != idle_until_.end() && adjoined->second > std::max(promise.seen, forgotten_);
    Range range;
    for (std::size_t i = seen; i < freed_.size(); ++i) {
        if (!adjoins && longest_idle_[i] < length) continue;
        const Freed& freed = freed_[i];
        auto [from, until] = starts_that_meet(freed, promise, length, now);
        if (!adjoins) {
            const auto is_long = [&](const IdleSpan& idle) {
                return idle.end - idle.begin >= length;
            };
            const auto first = std::find_if(freed.idle.begin(), freed.idle.end(), is_long);
            from = std::max(from, first->begin);
            if (freed.idle_until != kNever) until = std::min(until, freed.idle_until - length + 1);
        }
        if (from < until) range = {std::min(range.from, from), std::max(range.until, until)};
    }
    return range;
}

void NodeConservativePlanner::give(JobId job, Time start) {
    Promise& promise = promises_[job];
    plan_.place(demands_.of(job), start, length(job), promise.places);
    plan_.occupy(promise.places, each(job), start, start + length(job));
    promise.start = start;
}

void NodeConservativePlanner::start_due(Time now, Starts& starts) {
    due_ = kNever;
    bool any_waits = false;
    const std::size_t before = starts.jobs.size();
    queue_.sort_at(now);
    for (const JobId job : queue_.jobs()) {
        Promise& promise = promises_[job];
        if (promise.start > now) {
            any_waits = true;
            due_ = std::min(due_, promise.start);
            continue;
        }
        start_on(job, promise.places, any_waits, starts);
        promise.places = {};
    }
    if (starts.jobs.size() > before)
        queue_.erase_if([&](JobId job) { return promises_[job].start <= now; });
}

} // namespace slotwise
