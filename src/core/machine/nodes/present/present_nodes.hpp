// Nodes at one instant, grouped by class and free amounts.
//
// Example: there are four nodes with 4 cores each, and a job with two units of 3 cores runs on
// nodes 0 and 1. The groups are {0, 1}, with one free core per node, and {2, 3}. Four units of 2
// cores fit: two on node 2 and two on node 3.
#pragma once

#include "containers/chained_index.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class PresentNodes {
  public:
    struct Group {
        Amounts free; // on each node
        std::size_t node_class;
        std::int32_t size; // number of nodes; 0: the group does not exist
    };

    // All resources are free at first.
    explicit PresentNodes(const Nodes& nodes);

    // Adds `sign` times the demand of the units to the free amounts. `places` must be in ascending
    // order of nodes. Calls moved(before, after, run) for each run of places whose nodes move from
    // one group to another.
    template <class Visitor>
    void change(std::span<const Place> places, const Amounts& each, std::int64_t sign,
                Visitor&& moved);
    void change(std::span<const Place> places, const Amounts& each, std::int64_t sign) {
        change(places, each, sign, [](const Group&, const Group&, std::span<const Place>) {});
    }

    std::size_t size() const { return groups_.size(); } // number of groups
    const Group& operator[](std::size_t group) const { return groups_[group]; }
    std::size_t of(std::int32_t node) const { return at(group_of_[at(node)]); }
    const Amounts& free(std::int32_t node) const { return groups_[of(node)].free; }

    // Returns the number of units that fit on the nodes. May stop counting at `enough` units.
    std::int64_t units(const UnitRoom& room, std::int64_t enough) const;

    // Calls visit(node) for the nodes in [from, to) with a free core. Stops when visit() returns
    // false.
    template <class Visitor>
    void for_each_with_cores(std::int32_t from, std::int32_t to, Visitor&& visit) const;

  private:
    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    void set_group(std::int32_t node, std::int32_t group, std::uint64_t has_cores) {
        group_of_[at(node)] = group;
        std::uint64_t& word = has_cores_[at(node) / 64];
        word = (word & ~(std::uint64_t{1} << at(node) % 64)) | has_cores << at(node) % 64;
    }
    std::int32_t group_after(std::int32_t group, const Amounts& each, std::int64_t times);
    void leave(std::int32_t group, std::int32_t nodes);

    std::vector<Group> groups_;
    std::vector<std::int32_t> group_of_;   // indexed by node
    std::vector<std::uint64_t> has_cores_; // one bit per node, set if it has a free core
    std::vector<std::int32_t> vacant_;     // groups of size 0
    ChainedIndex by_amounts_;              // groups with nodes
};

template <class Visitor>
void PresentNodes::change(std::span<const Place> places, const Amounts& each, std::int64_t sign,
                          Visitor&& moved) {
    std::int32_t last = -1; // group of the previous run, before the change
    std::int32_t last_units = 0;
    std::int32_t after = -1;
    for (std::size_t i = 0; i < places.size();) {
        const std::size_t first = i;
        const std::int32_t units = places[i].units;
        const std::int32_t group = group_of_[at(places[i].node)];
        do {
            ++i;
        } while (i < places.size() && places[i].units == units &&
                 group_of_[at(places[i].node)] == group);
        if (group != last || units != last_units) after = group_after(group, each, sign * units);
        last = group;
        last_units = units;
        const auto nodes = static_cast<std::int32_t>(i - first);
        groups_[at(after)].size += nodes;
        moved(groups_[at(group)], groups_[at(after)], places.subspan(first, i - first));
        const std::uint64_t has_cores = groups_[at(after)].free[0] > 0 ? 1 : 0;
        for (std::size_t k = first; k < i; ++k)
            set_group(places[k].node, after, has_cores);
        leave(group, nodes);
    }
}

template <class Visitor>
void PresentNodes::for_each_with_cores(std::int32_t from, std::int32_t to, Visitor&& visit) const {
    for (std::size_t word = at(from) / 64; word * 64 < at(to); ++word) {
        std::uint64_t bits = has_cores_[word];
        if (word == at(from) / 64) bits &= ~std::uint64_t{0} << at(from) % 64;
        for (; bits != 0; bits &= bits - 1) {
            const std::size_t node = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            if (node >= at(to) || !visit(static_cast<std::int32_t>(node))) return;
        }
    }
}

} // namespace slotwise
