#include "planner/ruled/reserved_machine.hpp"

#include "admission/routing.hpp"

namespace slotwise {

ReservedMachine::ReservedMachine(const ReplayContext& context)
    : context_(context),
      free_(context.routing ? context.site.pools[0].processors : context.processors),
      releases_(context.jobs.first_submit, horizon_of(context.jobs.requested_time)) {
    if (context.routing && context.site.has_calendar())
        windows_.emplace(context_.site, context.jobs.first_submit);
}

ReservedMachine::ReservedMachine(const ReservedMachine& other, const ReplayContext& context)
    : context_(context), windows_(other.windows_), now_(other.now_), free_(other.free_),
      is_away_(other.is_away_), releases_(other.releases_), n_running_(other.n_running_),
      head_(other.head_), shadow_(other.shadow_), extra_(other.extra_), is_loose_(other.is_loose_) {
    if (windows_) windows_->rebind(context_.site);
}

bool ReservedMachine::follow(Patience& patience) {
    if (!windows_ || !windows_->follow(now_, patience)) return false;
    is_away_ = windows_->is_away();
    drop_reservation();
    return true;
}

// Computes the reservation of the head. If the head cannot end before the next maintenance window,
// it starts after the window. Any job that ends before the window may then start ahead of the head.
void ReservedMachine::reserve() {
    is_loose_ = false;
    const Time next_begin = windows_ ? windows_->next_begin() : kNever;
    shadow_ = next_begin;
    extra_ = 0;
    if (processors(head_) <= free_) return;
    const Releases::Point enough = releases_.reaching(processors(head_) - free_);
    const Time shadow = std::max(enough.time, now_);
    if (next_begin != kNever && shadow + std::max<Time>(length(head_), 1) > next_begin) return;
    shadow_ = shadow;
    extra_ = free_ + enough.released - processors(head_);
}

void ReservedMachine::describe(Schedule& schedule) const {
    schedule.has_calendar = has_calendar();
    if (windows_) schedule.capacity = windows_->capacity();
}

} // namespace slotwise
