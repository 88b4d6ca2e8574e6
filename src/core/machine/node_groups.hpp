// Nodes that are alike, taken together: those of one class on which the same is free at every time
// to come.
//
// Example: four nodes of 4 cores. Two units of 3 cores until 50, on nodes 0 and 1: the groups are
// {0, 1} and {2, 3}. A unit on node 1 makes it a group of its own; at its end nodes 0 and 1 are
// alike again.
#pragma once

#include "machine/free_steps.hpp"
#include "machine/nodes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeGroups {
  public:
    struct Group {
        FreeSteps steps;
        std::int32_t size; // nodes; 0: there is no such group
        std::size_t node_class;
    };

    NodeGroups(const Nodes& nodes, Time origin);

    Time now() const { return now_; }
    void advance(Time now);

    // Adds `sign` times what the units ask to what is free over [begin, end); begin >= now(). No
    // node is named twice. Nodes that are alike after it stay apart until settle(); it is called by
    // itself when there are many of them.
    void change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                std::int64_t sign);
    void settle();

    std::size_t size() const { return groups_.size(); }
    const Group& operator[](std::size_t group) const { return groups_[group]; }
    std::size_t of(std::int32_t node) const {
        return static_cast<std::size_t>(group_of_[static_cast<std::size_t>(node)]);
    }

  private:
    static constexpr std::size_t kBlock = 16;         // marks looked at in one go
    static constexpr std::size_t kMostUnsettled = 64; // more may slow down those who ask

    // The nodes of a group that get the same number of units, and the group they become.
    struct Part {
        std::int32_t group;
        std::int32_t units;
        std::int32_t count;
        std::int32_t next; // part of the group, or -1
        std::int32_t becomes;
    };

    std::int32_t part_for(std::int32_t group, std::int32_t units);
    std::int32_t split(const Part& part);
    std::size_t twin_of(std::size_t group) const;
    std::int32_t joined(std::int32_t group) const;

    Time now_;
    Time next_ = kNever; // when a step of some group ends, or earlier
    std::vector<Group> groups_;
    std::vector<std::uint32_t> marks_; // by group: equal where the steps are; a multiple of kBlock
    std::vector<std::int32_t> group_of_;  // by node
    std::vector<std::int32_t> vacant_;    // groups of size 0
    std::vector<std::int32_t> unsettled_; // groups that may have a twin

    // Room for one change.
    std::vector<Part> parts_;
    std::vector<std::int32_t> first_part_; // by group, or -1
    std::vector<std::int32_t> part_of_;    // by place
    std::vector<std::int32_t> into_;       // by group: the one it has joined, or -1
};

} // namespace slotwise
