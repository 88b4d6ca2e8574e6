#include "machine/torus/node_order/node_order.hpp"

namespace slotwise {

Registry<NodeOrder>& node_order_registry() {
    static Registry<NodeOrder> registry("node order");
    return registry;
}

} // namespace slotwise
