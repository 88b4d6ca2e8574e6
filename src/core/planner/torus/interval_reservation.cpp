#include "planner/torus/interval_reservation.hpp"

namespace slotwise {

namespace {

constexpr auto kEarlier = [](const auto& a, const auto& b) {
    return a.end < b.end || (a.end == b.end && a.job < b.job);
};

} // namespace

IntervalReservation::IntervalReservation(const ReplayContext& context)
    : context_(&context), estimates_(context), ends_(context, estimates_) {}

IntervalReservation::IntervalReservation(const IntervalReservation& other,
                                         const ReplayContext& context)
    : context_(&context), estimates_(other.estimates_), ends_(other.ends_),
      releases_(other.releases_), from_(other.from_), nodes_(other.nodes_), aside_(other.aside_) {
    estimates_.rebind(context);
    ends_.rebind(context);
}

void IntervalReservation::add(JobId job, Time start, std::span<const NodeInterval> nodes) {
    const Time end = ends_.start(job, start, estimates_.running(job));
    for (const NodeInterval& interval : nodes)
        add({end, job, interval});
}

void IntervalReservation::add(const Release& release) {
    releases_.insert(std::upper_bound(releases_.begin(), releases_.end(), release, kEarlier),
                     release);
}

// Removes the releases of a running job from the list, and returns them. The result is valid until
// the next call.
std::span<const IntervalReservation::Release> IntervalReservation::take(Time end, JobId job) {
    const auto [first, last] =
        std::equal_range(releases_.begin(), releases_.end(), Release{end, job, {}}, kEarlier);
    taken_.assign(first, last);
    releases_.erase(first, last);
    return taken_;
}

void IntervalReservation::take_over(const Underway& underway, Slots& slots) {
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const auto nodes = context_->schedule.placements.of(job);
        for (const NodeInterval& interval : nodes)
            slots.allocate(interval);
        add(job, context_->schedule.start[job], nodes);
    }
}

void IntervalReservation::remove(std::span<const JobId> ended, Slots& slots) {
    for (const JobId job : ended) {
        for (const Release& given_back : take(ends_.of(job, estimates_), job))
            slots.release(given_back.nodes);
        ends_.forget(job);
    }
    estimates_.note_ended(ended);
}

bool IntervalReservation::correct_estimates(Time now) {
    bool any = false;
    ends_.correct(now, [&](JobId job, Time before, Time after) {
        for (const Release& moved : take(before, job))
            add({after, job, moved.nodes});
        any = true;
    });
    return any;
}

void IntervalReservation::set_aside(Slots& slots) {
    if (is_aside()) return;
    for (std::int32_t at = nodes_.begin; at < nodes_.end;) {
        NodeInterval slot = slots.slot_at(at);
        if (slot.empty()) slot = slots.next(at);
        if (slot.empty() || slot.begin >= nodes_.end) return;
        const NodeInterval part{std::max(slot.begin, at), std::min(slot.end, nodes_.end)};
        slots.allocate(part);
        aside_.push_back(part);
        at = slot.end;
    }
}

void IntervalReservation::put_back(Slots& slots) {
    slots.release(aside_);
    aside_.clear();
}

} // namespace slotwise
