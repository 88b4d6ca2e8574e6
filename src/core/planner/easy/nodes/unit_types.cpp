#include "planner/easy/nodes/unit_types.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

UnitTypes::UnitTypes(std::shared_ptr<const JobDemands> demands) : demands_(std::move(demands)) {
    const std::vector<UnitDemand>& kinds = demands_->kinds;
    std::vector<std::uint32_t> sorted(kinds.size());
    std::iota(sorted.begin(), sorted.end(), std::uint32_t{0});
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return kinds[a].each < kinds[b].each; });
    type_of_.resize(kinds.size());
    std::uint32_t n_types = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i == 0 || kinds[sorted[i]].each != kinds[sorted[i - 1]].each) ++n_types;
        type_of_[sorted[i]] = n_types - 1;
    }
    orders_.resize(n_types);
}

std::span<const UnitTypes::Range> UnitTypes::ranges(std::uint32_t kind) {
    std::vector<Range>& ranges = orders_[type_of_[kind]];
    if (!ranges.empty()) return ranges;
    const Nodes& nodes = *demands_->nodes;
    std::vector<std::int32_t> first{0};
    for (const NodeClass& of_class : nodes.classes)
        first.push_back(first.back() + of_class.count);
    for (const std::size_t c : classes_for(nodes, demand(kind).each, demands_->rule))
        ranges.push_back({c, first[c], first[c + 1]});
    return ranges;
}

} // namespace slotwise
