#include "machine/nodes/list_schedule.hpp"

#include <algorithm>

namespace slotwise {

ListSchedule list_schedule(NodePlan& plan, std::span<const UnitDemand> demands,
                           std::span<const std::int64_t> durations,
                           std::span<const std::int64_t> order, Time now, PlacementRule rule) {
    ListSchedule result;
    result.start.assign(demands.size(), kNever);
    std::vector<std::vector<Place>> places(demands.size());
    for (const std::int64_t which : order) {
        const auto job = static_cast<std::size_t>(which);
        const PlannedDemand asked(plan.nodes(), demands[job], rule);
        const Time duration = std::max<Time>(durations[job], 1);
        const Time start = plan.earliest(asked, duration, now);
        if (start == kNever) continue;
        plan.place(asked, start, duration, places[job]);
        plan.occupy(places[job], asked.demand.each, start, start + duration);
        result.start[job] = start;
    }
    result.first.push_back(0);
    for (const std::vector<Place>& of_job : places) {
        result.places.insert(result.places.end(), of_job.begin(), of_job.end());
        result.first.push_back(static_cast<std::uint32_t>(result.places.size()));
    }
    return result;
}

} // namespace slotwise
