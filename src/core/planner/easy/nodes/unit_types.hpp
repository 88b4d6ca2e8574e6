// The types of units that the jobs of a replay request. Jobs of different kinds may request units
// of the same type and differ only in the number of units.
//
// Example: 2 units of 4 cores, 5 units of 4 cores and 5 units of 1 core are three kinds of demand,
// but two types of units.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/nodes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class UnitTypes {
  public:
    explicit UnitTypes(std::shared_ptr<const JobDemands> demands);

    std::size_t size() const { return orders_.size(); }
    std::uint32_t type_of(std::uint32_t kind) const { return type_of_[kind]; }
    const UnitDemand& demand(std::uint32_t kind) const { return demands_->kinds[kind]; }
    PlacementRule rule() const { return demands_->rule; }
    const JobDemands& demands() const { return *demands_; }

    // A range of nodes, in placement order, on which a unit of the kind may fit.
    struct Range {
        std::size_t node_class;
        std::int32_t begin;
        std::int32_t end;
    };
    std::span<const Range> ranges(std::uint32_t kind);

  private:
    std::shared_ptr<const JobDemands> demands_;
    std::vector<std::uint32_t> type_of_;     // indexed by kind
    std::vector<std::vector<Range>> orders_; // ranges of each type; filled on first use
};

} // namespace slotwise
