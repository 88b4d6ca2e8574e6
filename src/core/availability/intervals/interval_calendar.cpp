#include "availability/intervals/interval_calendar.hpp"

#include "availability/pools/pool_plan.hpp"

#include <algorithm>

namespace slotwise {

std::vector<NodeInterval> intervals_of(const Torus& torus, const NodeChoice& choice,
                                       ProcCount processors) {
    const NodeCount nodes = torus.nodes();
    if (choice.named.empty()) {
        const NodeCount taken = processors == 0 ? nodes : torus.nodes_for(processors);
        return {{nodes - taken, nodes}};
    }
    std::vector<NodeInterval> intervals;
    for (const std::int32_t node : choice.named) {
        if (!intervals.empty() && intervals.back().end == node)
            ++intervals.back().end;
        else
            intervals.push_back({node, node + 1});
    }
    return intervals;
}

IntervalCalendar::IntervalCalendar(const Site& site, Time origin)
    : site_(&site), until_(site.reservations.size(), kNever), present_(site.torus->nodes()) {
    for (const Outage& outage : site.outages) {
        outages_.push_back(intervals_of(*site.torus, outage.nodes, outage.processors));
        if (outage.mode == Outage::Mode::drain)
            note(recurrence_of(outage), outages_.back(), origin);
    }
    for (const UserReservation& reservation : site.reservations) {
        kept_.push_back(intervals_of(*site.torus, reservation.nodes, reservation.processors));
        note(recurrence_of(reservation), kept_.back(), origin);
    }
}

void IntervalCalendar::note(const Recurrence& windows, const std::vector<NodeInterval>& nodes,
                            Time origin) {
    announced_.push_back({windows, nodes, windows.first_ending_after(origin)});
    next_ = std::min(next_, announced_.back().next);
}

void IntervalCalendar::check_ahead(Time now, Time before) const {
    double n_windows = 0;
    for (const Announced& each : announced_) {
        const Time since = std::max(now, each.windows.start);
        if (each.windows.every > 0 && since < before)
            n_windows +=
                static_cast<double>(before - since) / static_cast<double>(each.windows.every);
    }
    refuse_windows_ahead(n_windows, now, before);
}

bool IntervalCalendar::announce(Time before, IntervalPlan& plan) {
    check_ahead(plan.now(), before);
    next_ = kNever;
    for (auto& [windows, nodes, next] : announced_) {
        while (next < before) {
            for (const NodeInterval& each : nodes)
                plan.add({next, next + windows.duration, each});
            next = windows.every > 0 ? next + windows.every : kNever;
        }
        next_ = std::min(next_, next);
    }
    return true;
}

void IntervalCalendar::take_away(NodeInterval nodes, int sign, IntervalPlan& plan) {
    if (sign > 0) {
        plan.hold_now(nodes);
        present_.cover(nodes);
    } else {
        plan.free_now(nodes);
        present_.uncover(nodes);
    }
}

void IntervalCalendar::begin_outage(std::uint32_t index, Time time, IntervalPlan& plan) {
    const Outage& outage = site_->outages[index];
    for (const NodeInterval& nodes : outages_[index]) {
        take_away(nodes, 1, plan);
        if (outage.mode != Outage::Mode::drain) plan.add({time, time + outage.duration, nodes});
    }
    note_capacity(time);
}

void IntervalCalendar::end_outage(std::uint32_t index, Time time, IntervalPlan& plan) {
    for (const NodeInterval& nodes : outages_[index])
        take_away(nodes, -1, plan);
    note_capacity(time);
}

void IntervalCalendar::begin_repair(NodeInterval nodes, Time time, IntervalPlan& plan) {
    take_away(nodes, 1, plan);
    plan.add({time, time + site_->crashes.repair, nodes});
    note_capacity(time);
}

void IntervalCalendar::end_repair(NodeInterval nodes, Time time, IntervalPlan& plan) {
    take_away(nodes, -1, plan);
    note_capacity(time);
}

void IntervalCalendar::note_capacity(Time time) {
    const ProcCount processors = present_.slots().free() * site_->torus->processors_per_node();
    if (!capacity_.empty() && capacity_.back().time == time)
        capacity_.back().processors = processors;
    else
        capacity_.push_back({time, processors});
}

void IntervalCalendar::begin_reservation(std::uint32_t index, Time time, IntervalPlan& plan) {
    until_[index] = time + site_->reservations[index].duration;
    for (const NodeInterval& nodes : kept_[index])
        plan.hold_now(nodes);
}

void IntervalCalendar::end_reservation(std::uint32_t index, IntervalPlan& plan) {
    until_[index] = kNever;
    for (const NodeInterval& nodes : kept_[index])
        plan.free_now(nodes);
}

bool IntervalCalendar::is_window_of(std::uint32_t index, const IntervalSpan& span) const {
    const Recurrence windows = recurrence_of(site_->reservations[index]);
    const std::vector<NodeInterval>& kept = kept_[index];
    return span.to - span.from == windows.duration && span.to == until_[index] &&
           std::find(kept.begin(), kept.end(), span.nodes) != kept.end();
}

} // namespace slotwise
