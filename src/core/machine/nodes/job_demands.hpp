// The demands of all jobs in a replay on a machine with nodes.
#pragma once

#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// Jobs with the same demand are of the same kind.
struct JobDemands {
    std::shared_ptr<const Nodes> nodes;
    PlacementRule rule = PlacementRule::least_scarce;
    std::vector<UnitDemand> kinds;
    std::vector<std::uint32_t> kind_of; // one per job
    std::vector<std::uint8_t> can_run;  // per kind: 1 if the demand fits on the empty machine
    // per constraint: the nodes that it allows, ascending
    std::vector<std::vector<std::int32_t>> constraints;

    const UnitDemand& demand(JobId job) const { return kinds[kind_of[job]]; }
};

// Throws std::invalid_argument if a job has no units, if a unit requests no cores (the first
// resource), or if an amount, a number of nodes or a limit on units per node is negative.
JobDemands make_node_jobs(std::shared_ptr<const Nodes> nodes, PlacementRule rule,
                          std::span<const UnitDemand> demands,
                          std::vector<std::vector<std::int32_t>> constraints = {});

// The places of each job that has started.
class JobPlaces {
  public:
    explicit JobPlaces(std::size_t n_jobs) : rows_(n_jobs) {}

    std::size_t size() const { return rows_.size(); }
    std::span<const Place> of(JobId job) const {
        return {places_.data() + rows_[job].first, rows_[job].count};
    }
    void set(JobId job, std::span<const Place> places) {
        rows_[job] = {places_.size(), static_cast<std::uint32_t>(places.size())};
        places_.insert(places_.end(), places.begin(), places.end());
    }

  private:
    struct Row {
        std::size_t first = 0;
        std::uint32_t count = 0;
    };
    std::vector<Row> rows_;
    std::vector<Place> places_;
};

} // namespace slotwise
