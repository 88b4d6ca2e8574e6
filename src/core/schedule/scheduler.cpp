#include "schedule/scheduler.hpp"

namespace slotwise {

Registry<SchedulerFactory>& scheduler_registry() {
    static Registry<SchedulerFactory> registry("backfill");
    return registry;
}

} // namespace slotwise
