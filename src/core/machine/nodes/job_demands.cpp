#include "machine/nodes/job_demands.hpp"

#include "guard.hpp"

#include <map>

namespace slotwise {

namespace {

void check(const UnitDemand& demand) {
    guard(demand.units >= 1, "a job must have at least one unit");
    guard(demand.each[0] >= 1, "a unit must have at least one core");
    for (std::size_t r = 0; r < demand.each.size(); ++r)
        guard(demand.each[r] >= 0, "a demand must not be negative");
    guard(demand.per_node >= 0 && demand.nodes >= 0,
          "the numbers of nodes and of units per node must not be negative");
}

} // namespace

JobDemands make_node_jobs(std::shared_ptr<const Nodes> nodes, PlacementRule rule,
                          std::span<const UnitDemand> demands,
                          std::vector<std::vector<std::int32_t>> constraints) {
    JobDemands jobs;
    jobs.nodes = std::move(nodes);
    jobs.rule = rule;
    jobs.constraints = std::move(constraints);
    std::map<UnitDemand, std::uint32_t> known;
    for (std::size_t job = 0; job < demands.size(); ++job) {
        const UnitDemand& demand = demands[job];
        check(demand);
        const auto [at, is_new] =
            known.try_emplace(demand, static_cast<std::uint32_t>(jobs.kinds.size()));
        if (is_new) {
            jobs.kinds.push_back(demand);
            jobs.can_run.push_back(can_ever_hold(*jobs.nodes, demand) ? 1 : 0);
        }
        jobs.kind_of.push_back(at->second);
    }
    return jobs;
}

} // namespace slotwise
