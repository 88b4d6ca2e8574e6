#include "schedule/pool_plan.hpp"

namespace slotwise {

Time PoolPlan::reserve(Time length, ProcCount processors) {
    const Time from = plan_.earliest(processors, length, now_, {});
    plan_.add(from, from + length, -processors);
    reserved_.push_back({from, from + length, processors});
    return from;
}

void PoolPlan::drop_reservations() {
    for (const Span& span : reserved_)
        plan_.add(span.from, span.to, span.processors);
    reserved_.clear();
}

} // namespace slotwise
