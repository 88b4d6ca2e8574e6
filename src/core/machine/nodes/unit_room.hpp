// Computes how many units of a demand fit into a given amount of resources.
#pragma once

#include "machine/nodes/nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class UnitRoom {
  public:
    explicit UnitRoom(const UnitDemand& demand)
        : units_(demand.per_node > 0 ? std::min(demand.units, demand.per_node) : demand.units) {
        for (std::size_t r = 0; r < Amounts::kNear; ++r) {
            if (demand.each.near(r) <= 0) continue;
            resource_[n_] = r;
            all_[n_] = demand.each.near(r) * units_;
            each_[n_++] = demand.each.near(r);
        }
        for (std::size_t r = Amounts::kNear; r < demand.each.size(); ++r)
            if (demand.each[r] > 0) further_.push_back({r, demand.each[r]});
    }

    // Returns how many units fit into `free`. The result is at most the number of units of the job,
    // and at most its limit on units per node.
    template <class Free> std::int32_t operator()(const Free& free) const {
        for (std::size_t i = 0; i < n_; ++i)
            if (free.near(resource_[i]) < each_[i]) return 0;
        std::int64_t room = units_;
        if (units_ > 1)
            for (std::size_t i = 0; i < n_; ++i)
                if (const std::int64_t has = free.near(resource_[i]); each_[i] * room > has)
                    room = quotient(has, each_[i]);
        for (const Asked& asked : further_)
            room = std::min(room, std::max<std::int64_t>(free[asked.resource], 0) / asked.each);
        return static_cast<std::int32_t>(room);
    }

    // Returns true if `free` is at least the demand of units() units together.
    template <class Free> bool within(const Free& free) const {
        for (std::size_t i = 0; i < n_; ++i)
            if (free.near(resource_[i]) < all_[i]) return false;
        return std::all_of(further_.begin(), further_.end(), [&](const Asked& asked) {
            return free[asked.resource] >= asked.each * units_;
        });
    }

    std::int32_t units() const { return units_; }

    // The number of units that fit on each node of a class.
    struct OnClass {
        std::int32_t most; // units that fit on an empty node
        bool whole;        // true if a unit takes all cores of the node
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
    std::size_t resource_[Amounts::kNear] = {};
    std::int64_t each_[Amounts::kNear] = {};
    std::int64_t all_[Amounts::kNear] = {}; // demand of units_ units together

    struct Asked {
        std::size_t resource;
        std::int64_t each;
    };
    std::vector<Asked> further_; // requested resources after the first seven
};

} // namespace slotwise
