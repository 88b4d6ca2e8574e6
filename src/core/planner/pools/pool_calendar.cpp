#include "planner/pools/pool_calendar.hpp"

#include "replay/replay_error.hpp"

#include <algorithm>
#include <string>

namespace slotwise {

namespace {

constexpr double kMostChangesAtOnce = 1e8;

// Throws if the calendar changes too often in a gap. While nothing runs or waits the calendar is
// not followed; the next instant makes up for all its changes.
void check_gap(const Site& site, Time from, Time to) {
    const auto gap = static_cast<double>(to - from);
    double n_changes = 0;
    for (const Outage& outage : site.outages)
        if (outage.every > 0) n_changes += 2 * gap / static_cast<double>(outage.every);
    for (const UserReservation& reservation : site.reservations)
        if (reservation.every > 0) n_changes += 2 * gap / static_cast<double>(reservation.every);
    if (site.crashes.mean > 0) n_changes += gap / site.crashes.mean;
    if (n_changes <= kMostChangesAtOnce) return;
    throw ReplayError("nothing runs or waits from second " + std::to_string(from) + " to " +
                      std::to_string(to) +
                      ", and the calendar changes more than 100000000 times in between; make "
                      "outages, reservations and crashes less frequent, or cut the trace there");
}

} // namespace

PoolCalendar::PoolCalendar(const Parts& parts)
    : calendar_(parts.context.layout->site, parts.context.jobs.first_submit) {
    rebind(parts);
}

void PoolCalendar::rebind(const Parts& parts) {
    context_ = &parts.context;
    events_ = &parts.events;
    pools_ = &parts.pools;
    transitions_ = &parts.transitions;
}

void PoolCalendar::follow(Patience& patience) {
    const Time now = context_->now;
    if (calendar_.next() > now) return;
    const Time since = std::max(calendar_.next(), calendar_.since());
    if (since < now) check_gap(context_->first_layout->site, since, now);
    while (calendar_.next() <= now) {
        patience.note_change();
        make_change(calendar_.pop());
    }
    events_->touch_all();
    std::sort(requeued_.begin(), requeued_.end());
    for (const JobId job : requeued_)
        transitions_->enqueue(job);
    requeued_.clear();
}

void PoolCalendar::make_change(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    switch (change.kind) {
    case Kind::outage_begin:
        pools_->begin_outage(change.index, change.time);
        for (PoolId pool = 0; pool < pools_->size(); ++pool)
            if (pools_->outages().share(change.index, pool) > 0 && pools_->outages().kills_in(pool))
                kill_until_fits(pool);
        break;
    case Kind::outage_end:
        pools_->end_outage(change.index, change.time);
        break;
    case Kind::crash:
        while (!pools_->running().empty())
            stop(pools_->running().jobs().back(), EndReason::crash);
        if (context_->layout->site.crashes.repair > 0) pools_->begin_repair(change.time);
        break;
    case Kind::repair_end:
        pools_->end_repair(change.time);
        break;
    case Kind::reservation_begin:
        pools_->begin_reservation(change.index, change.time);
        break;
    case Kind::reservation_end:
        pools_->end_reservation(change.index);
        break;
    }
}

// Stops jobs until the rest fit. The job started last goes first; of those started together, the
// last in the trace.
void PoolCalendar::kill_until_fits(PoolId pool) {
    std::vector<JobId> jobs;
    std::int64_t processors = 0;
    for (const JobId job : pools_->running().jobs()) {
        if (pools_->processors_in(pool, job) == 0) continue;
        jobs.push_back(job);
        processors += pools_->processors_in(pool, job);
    }
    const std::vector<Time>& start = context_->schedule.start;
    std::sort(jobs.begin(), jobs.end(),
              [&](JobId a, JobId b) { return start[a] != start[b] ? start[a] > start[b] : a > b; });
    for (const JobId job : jobs) {
        if (processors <= pools_->outages().present(pool)) return;
        processors -= pools_->processors_in(pool, job);
        stop(job, EndReason::outage);
    }
}

void PoolCalendar::stop(JobId job, EndReason reason) {
    const bool requeued = context_->layout->site.interruption.requeue != Requeue::never;
    context_->starts->stops.push_back({job, pools_->pool_of(job), reason, requeued});
    pools_->vacate(job);
    if (requeued) {
        pools_->set_pool_of(job, kAnyPool);
        requeued_.push_back(job);
    } else {
        transitions_->note_over(job, context_->now);
    }
}

Time PoolCalendar::next_change() const {
    if (!context_->layout->has_calendar) return kNever;
    if (pools_->n_running() == 0 && context_->eligibility.n_coming() == 0) return kNever;
    return calendar_.next();
}

} // namespace slotwise
