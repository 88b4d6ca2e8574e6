#include "planner/ruled/pages/section_gates.hpp"

#include <algorithm>

namespace slotwise {

void SectionGates::set_room(Gate gate, ProcCount room) {
    if (gate >= gates_.size()) gates_.resize(std::size_t{gate} + 1);
    ProcCount& its = gates_[gate].room;
    n_open_ += static_cast<std::size_t>(room > 0);
    n_open_ -= static_cast<std::size_t>(its > 0);
    if (room == 0) gates_[gate].n_misses = 0;
    its = std::min(room, kAnyRoom);
}

void SectionGates::add(Gate gate, Section section) {
    if (gate == kNoGate) return;
    if (gate >= gates_.size()) gates_.resize(std::size_t{gate} + 1);
    if (section >= places_.size()) places_.resize(std::size_t{section} + 1);
    std::vector<Section>& sections = gates_[gate].sections;
    places_[section] = static_cast<std::uint32_t>(sections.size());
    sections.push_back(section);
}

void SectionGates::remove(Gate gate, Section section) {
    if (gate == kNoGate) return;
    std::vector<Section>& sections = gates_[gate].sections;
    sections[places_[section]] = sections.back();
    places_[sections.back()] = places_[section];
    sections.pop_back();
}

} // namespace slotwise
