#include "engine/event_queue.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

void EventQueue::remove(std::span<const JobId> jobs) {
    std::vector<JobId> leaving(jobs.begin(), jobs.end());
    std::sort(leaving.begin(), leaving.end());
    std::vector<std::pair<Time, JobId>> staying;
    while (!empty()) {
        const Time end = next();
        const JobId job = pop();
        if (!std::binary_search(leaving.begin(), leaving.end(), job))
            staying.emplace_back(end, job);
    }
    for (const auto& [end, job] : staying)
        push(end, job, staying.front().first);
}

} // namespace slotwise
