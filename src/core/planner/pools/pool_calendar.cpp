#include "planner/pools/pool_calendar.hpp"

#include "planner/calendar_gap.hpp"

#include <algorithm>

namespace slotwise {

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
    if (since < now) check_calendar_gap(context_->first_layout->site, since, now);
    while (calendar_.next() <= now) {
        patience.note_change();
        make_change(calendar_.pop());
    }
    events_->touch_all();
    transitions_->note_calendar_change();
    std::sort(requeued_.begin(), requeued_.end());
    for (const JobId job : requeued_)
        transitions_->enqueue(job);
    requeued_.clear();
}

void PoolCalendar::make_change(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    if (pools_->machine().nodes() != nullptr) return make_change_on_nodes(change);
    if (pools_->machine().intervals() != nullptr) return make_change_on_intervals(change);
    switch (change.kind) {
    case Kind::outage_begin:
        pools_->begin_outage(change.index, change.time);
        for (PoolId pool = 0; pool < pools_->plans().size(); ++pool)
            if (pools_->outages().share(change.index, pool) > 0 && pools_->outages().kills_in(pool))
                kill_until_fits(pool);
        break;
    case Kind::outage_end:
        pools_->end_outage(change.index, change.time);
        break;
    case Kind::crash:
        stop_all();
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

// Stops jobs until the remaining ones fit in the pool. The most recently started jobs are stopped
// first; jobs that started together are stopped in reverse trace order.
void PoolCalendar::kill_until_fits(PoolId pool) {
    std::vector<JobId> jobs;
    std::int64_t processors = 0;
    for (const JobId job : pools_->running().jobs()) {
        if (pools_->processors_in(pool, job) == 0) continue;
        jobs.push_back(job);
        processors += pools_->processors_in(pool, job);
    }
    sort_last_started_first(jobs);
    for (const JobId job : jobs) {
        if (processors <= pools_->outages().present(pool)) return;
        processors -= pools_->processors_in(pool, job);
        stop(job, EndReason::outage);
    }
}

void PoolCalendar::make_change_on_nodes(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    NodePools& nodes = *pools_->machine().nodes();
    switch (change.kind) {
    case Kind::outage_begin:
        nodes.outages().begin(change.index, change.time, nodes.state());
        stop_on(nodes.outages().taken(change.index),
                context_->layout->site.outages[change.index].mode != Outage::Mode::drain);
        break;
    case Kind::outage_end:
        nodes.outages().end(change.index, change.time, nodes.state());
        break;
    case Kind::crash:
    case Kind::repair_end:
        crash_or_repair(change);
        break;
    case Kind::reservation_begin:
        nodes.reservations().begin(change.index, change.time, nodes.state());
        break;
    case Kind::reservation_end:
        nodes.reservations().end(change.index, nodes.state());
        break;
    }
    nodes.state().changes().note_all_eased();
}

// Applies a crash of a single node or of the whole machine, or the end of the repair that follows.
void PoolCalendar::crash_or_repair(const CalendarChange& change) {
    NodePools& nodes = *pools_->machine().nodes();
    const Crashes& crashes = context_->layout->site.crashes;
    std::vector<std::int32_t> failed;
    if (crashes.per_node) failed.push_back(nodes.shapes().layout().node_of[change.index]);
    if (change.kind == CalendarChange::Kind::repair_end)
        return nodes.outages().end_repair(failed, change.time, nodes.state());
    if (!crashes.per_node) {
        stop_all();
    } else {
        for (const JobId job : jobs_on([&](const Place place) { return place.node == failed[0]; }))
            stop(job, EndReason::crash);
    }
    if (crashes.repair > 0) nodes.outages().begin_repair(failed, change.time, nodes.state());
}

void PoolCalendar::make_change_on_intervals(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    IntervalPools& machine = *pools_->machine().intervals();
    switch (change.kind) {
    case Kind::outage_begin:
        machine.begin_outage(change.index, change.time);
        if (context_->layout->site.outages[change.index].mode != Outage::Mode::drain)
            for (const JobId job : jobs_in(machine.calendar().taken(change.index)))
                stop(job, EndReason::outage);
        break;
    case Kind::outage_end:
        machine.end_outage(change.index, change.time);
        break;
    case Kind::crash:
    case Kind::repair_end:
        crash_on_intervals(change);
        break;
    case Kind::reservation_begin:
        machine.begin_reservation(change.index, change.time);
        break;
    case Kind::reservation_end:
        machine.end_reservation(change.index);
        break;
    }
}

// Applies a crash of a single node of a torus or of the whole torus, or the end of the repair that
// follows.
void PoolCalendar::crash_on_intervals(const CalendarChange& change) {
    IntervalPools& machine = *pools_->machine().intervals();
    const Crashes& crashes = context_->layout->site.crashes;
    const auto node = static_cast<std::int32_t>(change.index);
    NodeInterval failed{0, machine.slots().nodes()};
    if (crashes.per_node) failed = {node, node + 1};
    if (change.kind == CalendarChange::Kind::repair_end)
        return machine.end_repair(failed, change.time);
    if (!crashes.per_node)
        stop_all();
    else
        for (const JobId job : jobs_in({&failed, 1}))
            stop(job, EndReason::crash);
    if (crashes.repair > 0) machine.begin_repair(failed, change.time);
}

// Returns the running jobs that use any of these nodes of a torus, the most recently started first.
std::vector<JobId> PoolCalendar::jobs_in(std::span<const NodeInterval> nodes) const {
    std::vector<JobId> jobs;
    for (const JobId job : pools_->running().jobs()) {
        const NodeInterval held = pools_->machine().intervals()->nodes_of(job);
        if (std::any_of(nodes.begin(), nodes.end(), [&](NodeInterval each) {
                return held.begin < each.end && each.begin < held.end;
            }))
            jobs.push_back(job);
    }
    sort_last_started_first(jobs);
    return jobs;
}

void PoolCalendar::stop_all() {
    while (!pools_->running().empty())
        stop(pools_->running().jobs().back(), EndReason::crash);
}

// Sorts jobs into the order in which they are stopped: the most recently started first, and jobs
// that started together in reverse trace order.
void PoolCalendar::sort_last_started_first(std::vector<JobId>& jobs) const {
    const BlockColumn<Time>& start = context_->schedule.start;
    std::sort(jobs.begin(), jobs.end(),
              [&](JobId a, JobId b) { return start[a] != start[b] ? start[a] > start[b] : a > b; });
}

// Returns the running jobs that have at least one place for which asked(place) is true. The most
// recently started jobs come first; jobs that started together are in reverse trace order.
template <class Asked> std::vector<JobId> PoolCalendar::jobs_on(Asked&& asked) const {
    std::vector<JobId> jobs;
    for (const JobId job : pools_->running().jobs()) {
        const std::span<const Place> places = pools_->machine().nodes()->places(job);
        if (std::any_of(places.begin(), places.end(), asked)) jobs.push_back(job);
    }
    sort_last_started_first(jobs);
    return jobs;
}

// If `kills` is true, stops the jobs on the nodes that the outage names. Then calls
// stop_until_fits() for each class that is drained, or for which the outage gives only the number
// of nodes.
void PoolCalendar::stop_on(const NodesAway& away, bool kills) {
    const NodeLayout& layout = pools_->machine().nodes()->shapes().layout();
    if (kills)
        for (const JobId job : jobs_on([&](const Place place) {
                 return std::binary_search(away.named.begin(), away.named.end(), place.node);
             }))
            stop(job, EndReason::outage);
    for (const auto& [node_class, number] : away.numbers)
        stop_until_fits(node_class);
    if (kills) return;
    for (std::size_t i = 0; i < away.named.size(); ++i) { // a drain covers whole node classes
        const std::size_t c = layout.class_of[static_cast<std::size_t>(away.named[i])];
        if (away.named[i] == layout.first[c]) stop_until_fits(c);
    }
}

void PoolCalendar::stop_until_fits(std::size_t node_class) {
    NodePools& nodes = *pools_->machine().nodes();
    const NodeLayout& layout = nodes.shapes().layout();
    if (!nodes.outages().kills_in(node_class)) return;
    for (const JobId job : jobs_on([&](const Place place) {
             return layout.class_of[static_cast<std::size_t>(place.node)] == node_class;
         })) {
        if (nodes.state().busy(node_class) <= nodes.outages().present(node_class)) return;
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
        transitions_->note_over(job, context_->now, JobEnding::failed);
    }
}

Time PoolCalendar::next_change() const {
    if (!context_->layout->has_calendar) return kNever;
    if (pools_->n_running() == 0 && context_->eligibility.n_coming() == 0) return kNever;
    return calendar_.next();
}

} // namespace slotwise
