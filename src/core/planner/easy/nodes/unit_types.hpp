// Types of units that the jobs of a replay request: jobs of several kinds may differ only in the
// number of units.
//
// Example: 2 units of 4 cores, 5 units of 4 cores and 5 units of 1 core are three kinds of demand,
// of two types.
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

    // Ranges of nodes on which a unit of the kind may fit, in the order of placement.
    struct Range {
        std::size_t node_class;
        std::int32_t begin; // node
        std::int32_t end;
    };
    std::span<const Range> ranges(std::uint32_t kind);

  private:
    std::shared_ptr<const JobDemands> demands_;
    std::vector<std::uint32_t> type_of_;     // by kind
    std::vector<std::vector<Range>> orders_; // by type; empty: not listed yet
};

} // namespace slotwise
