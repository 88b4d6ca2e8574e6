#include "machine/nodes/demands/planned_demand.hpp"

#include <algorithm>

namespace slotwise {

PlannedDemand::PlannedDemand(const Nodes& nodes, UnitDemand asked, PlacementRule by_rule)
    : demand(std::move(asked)), rule(by_rule), room(demand), unit(UnitDemand{1, demand.each}),
      classes(classes_for(nodes, demand.each, rule)) {
    for (const NodeClass& nodes_of_class : nodes.classes)
        on_class.push_back(room.on(nodes_of_class));
    takes_whole_nodes =
        std::all_of(on_class.begin(), on_class.end(),
                    [](const UnitRoom::OnClass on) { return on.most == 0 || on.whole; });
    in_node_order = !ranks_by_free(rule) && std::is_sorted(classes.begin(), classes.end());
}

const PlannedDemand& PlannedDemands::prepare(std::uint32_t kind) const {
    of_kind_[kind] =
        std::make_shared<const PlannedDemand>(*jobs_->nodes, jobs_->kinds[kind], jobs_->rule);
    return *of_kind_[kind];
}

} // namespace slotwise
