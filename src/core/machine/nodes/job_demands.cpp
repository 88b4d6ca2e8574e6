#include "machine/nodes/job_demands.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

void check(const UnitDemand& demand, std::size_t job) {
    const std::string which = "job " + std::to_string(job) + " (counted from 0)";
    if (demand.units < 1)
        throw std::invalid_argument(which + " has " + std::to_string(demand.units) +
                                    " units; a job must have at least 1");
    if (demand.each[0] < 1)
        throw std::invalid_argument(which + " requests no cores; a unit must request at least 1");
    for (std::size_t r = 0; r < demand.each.size(); ++r)
        if (demand.each[r] < 0)
            throw std::invalid_argument(which + " requests " + std::to_string(demand.each[r]) +
                                        " of a resource; a demand is never negative");
    if (demand.per_node < 0 || demand.nodes < 0)
        throw std::invalid_argument(which + " requests " +
                                    std::to_string(std::min(demand.per_node, demand.nodes)) +
                                    " as a number of units per node or of nodes; give 0 for no "
                                    "rule, or 1 or more");
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
        check(demand, job);
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
