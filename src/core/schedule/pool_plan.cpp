#include "schedule/pool_plan.hpp"

namespace slotwise {

Time PoolPlan::reserve(Time length, ProcCount processors) {
    Time from;
    do
        from = plan_.earliest(processors, length, now_, {});
    while (reach(from + length));
    plan_.add(from, from + length, -processors);
    reserved_.push_back({from, from + length, processors});
    return from;
}

void PoolPlan::announce(const Recurrence& windows, ProcCount processors) {
    announced_.push_back({windows, processors, windows.first_ending_after(now_)});
    next_announced_ = std::min(next_announced_, announced_.back().next);
}

bool PoolPlan::plan_announced(Time before) {
    next_announced_ = kNever;
    for (auto& [windows, processors, next] : announced_) {
        while (next < before) {
            fence(next, next + windows.duration, processors);
            next = windows.every > 0 ? next + windows.every : kNever;
        }
        next_announced_ = std::min(next_announced_, next);
    }
    return true;
}

void PoolPlan::drop_reservations() {
    for (const Span& span : reserved_)
        plan_.add(span.from, span.to, span.processors);
    reserved_.clear();
}

} // namespace slotwise
