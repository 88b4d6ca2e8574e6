#include "schedule/scheduler.hpp"

#include <stdexcept>

namespace slotwise {

void Scheduler::take_over(const Underway&) {
    throw std::invalid_argument("this scheduler cannot begin in the middle of a replay; choose "
                                "another policy");
}

void Scheduler::cancel(JobId) {
    throw std::invalid_argument("this scheduler cannot give up a waiting job; choose another "
                                "policy");
}

Registry<SchedulerFactory>& scheduler_registry() {
    static Registry<SchedulerFactory> registry("backfill");
    return registry;
}

} // namespace slotwise
