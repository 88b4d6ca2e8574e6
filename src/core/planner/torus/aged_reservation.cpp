#include "planner/torus/aged_reservation.hpp"

#include "availability/intervals/choose_interval.hpp"

namespace slotwise {

AgedReservation::AgedReservation(const ReplayContext& context)
    : context_(&context), estimates_(context), ends_(context, estimates_) {}

AgedReservation::AgedReservation(const AgedReservation& other, const ReplayContext& context)
    : context_(&context), estimates_(other.estimates_), ends_(other.ends_),
      reservation_(other.reservation_) {
    estimates_.rebind(context);
    ends_.rebind(context);
}

void AgedReservation::add(JobId job, Time start, std::span<const NodeInterval> nodes) {
    reservation_.add(job, ends_.start(job, start, estimates_.running(job)), nodes);
}

void AgedReservation::take_over(const Underway& underway, Slots& slots) {
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const auto nodes = context_->schedule.placements.of(job);
        for (const NodeInterval& interval : nodes)
            slots.allocate(interval);
        add(job, context_->schedule.start[job], nodes);
    }
}

void AgedReservation::update(Time now, std::span<const JobId> ended, Slots& slots) {
    for (const JobId job : ended) {
        reservation_.remove(job, ends_.of(job, estimates_), slots);
        ends_.forget(job);
    }
    estimates_.note_ended(ended);
    ends_.correct(now, [&](JobId job, Time, Time end) { reservation_.prolong(job, end); });
}

void AgedReservation::make(Slots& slots, Time now, NodeCount nodes) {
    reservation_.make(slots, now,
                      [&] { return choose_interval(slots, Allocation::contiguous, nodes); });
    reservation_.set_aside(slots);
}

} // namespace slotwise
