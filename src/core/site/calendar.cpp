#include "site/calendar.hpp"

#include "machine/nodes/job_demands.hpp"
#include "machine/torus/torus.hpp"
#include "site/outage_shares.hpp"

#include <algorithm>
#include <functional>

namespace slotwise {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U; // gives each node its own seed

Time since_when_it_matters(const Site& site, Time first_submit) {
    Time since = first_submit;
    if (site.pools.size() < 2 && !site.has_nodes()) return since;
    for (int i = 0; i < Calendar::kMostWindowsBack; ++i) {
        Time begin = since;
        for (const Outage& outage : site.outages)
            if (is_shared_out_at_begin(outage))
                begin = std::min(begin, recurrence_of(outage).first_ending_after(since));
        if (begin == since) break;
        since = begin;
    }
    return since;
}

} // namespace

Time Recurrence::first_ending_after(Time time) const {
    return first_beginning_from(time - duration + 1);
}

Time Recurrence::first_beginning_from(Time time) const {
    if (time <= start) return start;
    if (every == 0) return kNever;
    return start + (time - start + every - 1) / every * every;
}

Recurrence recurrence_of(const Outage& outage) {
    return {outage.start, outage.duration, outage.every};
}

Recurrence recurrence_of(const UserReservation& reservation) {
    return {reservation.start, reservation.duration, reservation.every};
}

Calendar::Calendar(const Site& site, Time first_submit)
    : since_(since_when_it_matters(site, first_submit)), repair_(site.crashes.repair) {
    using Kind = CalendarChange::Kind;
    const auto add = [&](const auto& items, std::vector<Recurrence>& recurrences, Kind begin,
                         Time since) {
        for (const auto& item : items) {
            const auto index = static_cast<std::uint32_t>(recurrences.size());
            recurrences.push_back(recurrence_of(item));
            push({recurrences.back().first_ending_after(since), begin, index});
        }
    };
    add(site.outages, outages_, Kind::outage_begin, since_);
    add(site.reservations, reservations_, Kind::reservation_begin, first_submit);
    const std::int32_t n_streams = crash_streams(site);
    const bool per_node = site.crashes.per_node && (site.has_nodes() || site.has_torus());
    for (std::int32_t stream = 0; stream < n_streams; ++stream) {
        Crashes crashes = site.crashes;
        if (per_node) crashes.seed = SplitMix64(crashes.seed + kOdd * (stream + 1U)).next();
        crashes_.emplace_back(crashes, first_submit, since_);
        push({crashes_.back().next(), Kind::crash, static_cast<std::uint32_t>(stream)});
    }
}

std::int32_t crash_streams(const Site& site) {
    if (!site.crashes.per_node) return 1;
    if (site.has_nodes()) return site.demands->nodes->size();
    return site.has_torus() ? site.torus->nodes() : 1;
}

CalendarChange Calendar::pop() {
    const CalendarChange change = changes_.front();
    std::pop_heap(changes_.begin(), changes_.end(), std::greater<>{});
    changes_.pop_back();
    expand(change);
    return change;
}

void Calendar::push(const CalendarChange& change) {
    if (change.time == kNever) return;
    changes_.push_back(change);
    std::push_heap(changes_.begin(), changes_.end(), std::greater<>{});
}

// Adds the changes that follow `change`, which has just been popped.
void Calendar::expand(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    const auto [time, kind, index] = change;
    const auto begin_next = [&](const Recurrence& recurrence, Kind begin) {
        if (recurrence.every > 0)
            push({time - recurrence.duration + recurrence.every, begin, index});
    };
    switch (kind) {
    case Kind::outage_begin:
        push({time + outages_[index].duration, Kind::outage_end, index});
        break;
    case Kind::reservation_begin:
        push({time + reservations_[index].duration, Kind::reservation_end, index});
        break;
    case Kind::outage_end:
        begin_next(outages_[index], Kind::outage_begin);
        break;
    case Kind::reservation_end:
        begin_next(reservations_[index], Kind::reservation_begin);
        break;
    case Kind::crash:
        if (repair_ > 0) push({time + repair_, Kind::repair_end, index});
        crashes_[index].pop();
        push({crashes_[index].next(), Kind::crash, index});
        break;
    case Kind::repair_end:
        break;
    }
}

} // namespace slotwise
