// Number of units of one demand that fit into an amount of resources.
#pragma once

#include "machine/nodes/nodes.hpp"

#include <algorithm>
#include <cstdint>

namespace slotwise {

class UnitRoom {
  public:
    explicit UnitRoom(const UnitDemand& demand)
        : units_(demand.per_node > 0 ? std::min(demand.units, demand.per_node) : demand.units) {
        for (std::size_t r = 0; r < kMostResources; ++r) {
            if (demand.each[r] <= 0) continue;
            resource_[n_] = r;
            each_[n_++] = demand.each[r];
        }
    }

    // At most all units of the job, or the most that may share a node.
    std::int32_t operator()(const Amounts& free) const {
        for (std::size_t i = 0; i < n_; ++i)
            if (free[resource_[i]] < each_[i]) return 0;
        if (units_ == 1) return 1;
        std::int64_t room = units_;
        for (std::size_t i = 0; i < n_; ++i)
            if (each_[i] * room > free[resource_[i]]) room = quotient(free[resource_[i]], each_[i]);
        return static_cast<std::int32_t>(room);
    }

    // True if `free` covers the demand of all units together.
    bool within(const Amounts& free) const {
        for (std::size_t i = 0; i < n_; ++i)
            if (free[resource_[i]] < each_[i] * units_) return false;
        return true;
    }

    std::int32_t units() const { return units_; }

    // Fit of units on the nodes of one class.
    struct OnClass {
        std::int32_t most; // units that an empty node has room for
        bool whole;        // one unit takes all cores
    };
    OnClass on(const NodeClass& nodes) const {
        const std::int32_t most = (*this)(nodes.capacity);
        return {most, most == 1 && resource_[0] == 0 && each_[0] == nodes.capacity[0]};
    }

  private:
    static std::int64_t quotient(std::int64_t a, std::int64_t b) {
        if (((a | b) >> 32) != 0) return a / b;
        return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    }

    std::int32_t units_;
    std::size_t n_ = 0;
    std::size_t resource_[kMostResources] = {};
    std::int64_t each_[kMostResources] = {};
};

} // namespace slotwise
