#include "replay/whole_node_places.hpp"

#include "machine/torus/slots.hpp"
#include "replay/placements.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace slotwise {

JobPlaces WholeNodePlaces::of(std::span<const Time> start, std::span<const Time> end) const {
    std::vector<JobId> started;
    for (JobId job = 0; job < start.size(); ++job)
        if (start[job] != kNotStarted) started.push_back(job);
    std::stable_sort(started.begin(), started.end(),
                     [&](JobId a, JobId b) { return start[a] < start[b]; });
    using End = std::pair<Time, JobId>;
    std::priority_queue<End, std::vector<End>, std::greater<>> running;
    JobPlaces places(start.size());
    Placements held(start.size(), nodes);
    Slots idle(nodes);
    std::vector<NodeInterval> taken;
    std::vector<Place> listed;
    for (const JobId job : started) {
        for (; !running.empty() && running.top().first <= start[job]; running.pop())
            idle.release(held.of(running.top().second));
        taken.clear();
        idle.take_first(units[job], taken);
        held.set(job, taken);
        listed.clear();
        for (const NodeInterval& interval : taken)
            for (std::int32_t node = interval.begin; node < interval.end; ++node)
                listed.push_back({node, 1});
        places.set(job, listed);
        running.emplace(end[job], job);
    }
    return places;
}

} // namespace slotwise
