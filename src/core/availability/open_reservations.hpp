// Reservations of users that are open, on processors or on nodes.
#pragma once

#include "availability/node_reservations.hpp"
#include "availability/user_reservations.hpp"
#include "types.hpp"

#include <cstdint>

namespace slotwise {

// `on_nodes` is null on a machine of processors.
class OpenReservations {
  public:
    OpenReservations(const UserReservations& on_processors, const NodeReservations* on_nodes)
        : on_processors_(on_processors), on_nodes_(on_nodes) {}

    bool is_open(std::uint32_t index) const {
        return on_nodes_ ? on_nodes_->is_open(index) : on_processors_.is_open(index);
    }

    // Processors, or nodes, of an open one that no job has.
    ProcCount left(std::uint32_t index) const {
        return on_nodes_ ? on_nodes_->left(index) : on_processors_.left(index);
    }

    Time until(std::uint32_t index) const {
        return on_nodes_ ? on_nodes_->until(index) : on_processors_.until(index);
    }

  private:
    const UserReservations& on_processors_;
    const NodeReservations* on_nodes_;
};

} // namespace slotwise
