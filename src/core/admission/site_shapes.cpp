#include "admission/site_shapes.hpp"

#include <vector>

namespace slotwise {

std::shared_ptr<const JobShapes> shapes_of(const Site& site, std::span<const QueueId> queue_of,
                                           std::span<const std::int32_t> user_of) {
    std::vector<const NodeLayout::NodeSet*> sets;
    std::vector<NodeLayout::NodeSet> queue_nodes;
    for (const Queue& queue : site.queues) {
        sets.push_back(&queue.nodes);
        queue_nodes.push_back(queue.nodes);
    }
    for (const NodeLayout::NodeSet& constraint : site.demands->constraints)
        sets.push_back(&constraint);
    for (const Outage& outage : site.outages)
        if (outage.mode == Outage::Mode::drain) sets.push_back(&outage.nodes.named);
    for (const UserReservation& reservation : site.reservations)
        sets.push_back(&reservation.nodes.named);
    return std::make_shared<const JobShapes>(site.demands, NodeLayout(*site.demands->nodes, sets),
                                             queue_nodes, queue_of, user_of,
                                             site.policy.reserve == Reserve::nodes);
}

} // namespace slotwise
