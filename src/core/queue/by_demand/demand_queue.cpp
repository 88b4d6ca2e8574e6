#include "queue/by_demand/demand_queue.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

DemandQueue::DemandQueue(std::span<const std::uint32_t> demand_of, std::size_t n_demands,
                         const std::function<bool(JobId, JobId)>& precedes)
    : lengths_(demand_of.size()), least_(n_demands, kMaxDuration), n_waiting_(n_demands, 0),
      place_of_(n_demands, 0) {
    Slots slots;
    slots.demand_of = demand_of;
    slots.first.assign(n_demands + 1, 0);
    for (const std::uint32_t demand : demand_of)
        ++slots.first[demand + 1];
    for (std::size_t demand = 0; demand < n_demands; ++demand)
        slots.first[demand + 1] += slots.first[demand];
    slots.job_in.resize(demand_of.size());
    std::vector<Slot> next(slots.first.begin(), slots.first.end() - 1);
    for (JobId job = 0; job < demand_of.size(); ++job)
        slots.job_in[next[demand_of[job]]++] = job;
    for (std::size_t demand = 0; demand < n_demands; ++demand) {
        const auto begin = slots.job_in.begin() + slots.first[demand];
        const auto end = slots.job_in.begin() + slots.first[demand + 1];
        if (!std::is_sorted(begin, end, precedes)) std::sort(begin, end, precedes);
    }
    slots.of_job.resize(demand_of.size());
    for (Slot slot = 0; slot < slots.job_in.size(); ++slot)
        slots.of_job[slots.job_in[slot]] = slot;
    slots_ = std::make_shared<const Slots>(std::move(slots));
}

} // namespace slotwise
