#include "planner/reservation/plans/interval_reservation.hpp"

namespace slotwise {

namespace {

constexpr auto kEarlier = [](const auto& a, const auto& b) {
    return a.end < b.end || (a.end == b.end && a.job < b.job);
};

} // namespace

void IntervalReservation::add(JobId job, Time end, std::span<const NodeInterval> nodes) {
    for (const NodeInterval& interval : nodes)
        add({end, job, interval});
}

void IntervalReservation::add(const Release& release) {
    releases_.insert(std::upper_bound(releases_.begin(), releases_.end(), release, kEarlier),
                     release);
}

void IntervalReservation::prolong(JobId job, Time end) {
    moved_.clear();
    std::erase_if(releases_, [&](const Release& release) {
        if (release.job == job) moved_.push_back(release.nodes);
        return release.job == job;
    });
    add(job, end, moved_);
}

void IntervalReservation::remove(JobId job, Time end, Slots& slots) {
    const auto [first, last] =
        std::equal_range(releases_.begin(), releases_.end(), Release{end, job, {}}, kEarlier);
    for (auto release = first; release != last; ++release)
        slots.release(release->nodes);
    releases_.erase(first, last);
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
