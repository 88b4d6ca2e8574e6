#include "machine/nodes/present/present_nodes.hpp"

#include <utility>

namespace slotwise {

namespace {

std::uint64_t hash_of(std::size_t node_class, const Amounts& free) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U; // 2^64 divided by the golden ratio
    std::uint64_t hash = node_class;
    for (std::size_t r = 0; r < free.size(); ++r) {
        hash = (hash ^ static_cast<std::uint64_t>(free[r])) * odd;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

PresentNodes::PresentNodes(const Nodes& nodes) {
    for (std::size_t c = 0; c < nodes.classes.size(); ++c) {
        const NodeClass& of_class = nodes.classes[c];
        groups_.push_back({of_class.capacity, c, of_class.count});
        group_of_.insert(group_of_.end(), at(of_class.count), static_cast<std::int32_t>(c));
        by_amounts_.insert(static_cast<std::int32_t>(c), hash_of(c, of_class.capacity));
    }
    has_cores_.assign(group_of_.size() / 64 + 1, 0);
    for (std::int32_t node = 0; at(node) < group_of_.size(); ++node)
        set_group(node, group_of_[at(node)], free(node)[0] > 0 ? 1 : 0);
}

// Returns the group to which a node of `group` belongs after the change. Creates it if needed.
std::int32_t PresentNodes::group_after(std::int32_t group, const Amounts& each,
                                       std::int64_t times) {
    Group like = groups_[at(group)];
    like.free.add(times, each);
    like.size = 0;
    const std::uint64_t hash = hash_of(like.node_class, like.free);
    for (std::int32_t g = by_amounts_.first(hash); g >= 0; g = by_amounts_.next(g)) {
        const Group& other = groups_[at(g)];
        if (other.node_class == like.node_class && other.free == like.free) return g;
    }
    std::int32_t made = static_cast<std::int32_t>(groups_.size());
    if (vacant_.empty()) {
        groups_.push_back(std::move(like));
    } else {
        made = vacant_.back();
        vacant_.pop_back();
        groups_[at(made)] = std::move(like);
    }
    by_amounts_.insert(made, hash);
    return made;
}

void PresentNodes::leave(std::int32_t group, std::int32_t nodes) {
    std::int32_t& size = groups_[at(group)].size;
    size -= nodes;
    if (size > 0) return;
    by_amounts_.erase(group);
    vacant_.push_back(group);
}

std::int64_t PresentNodes::units(const UnitRoom& room, std::int64_t enough) const {
    std::int64_t units = 0;
    for (const Group& group : groups_)
        if (group.size > 0 && (units += std::int64_t{group.size} * room(group.free)) >= enough)
            break;
    return units;
}

} // namespace slotwise
