// The user reservations that are open now, on any kind of machine.
#pragma once

#include "availability/user_reservations.hpp"
#include "planner/job_pools.hpp"
#include "types.hpp"

#include <cstdint>

namespace slotwise {

// `by_job` is null if only the number of free processors matters.
class OpenReservations {
  public:
    OpenReservations(const UserReservations& on_processors, const JobPools* by_job)
        : on_processors_(on_processors), by_job_(by_job) {}

    bool is_open(std::uint32_t index) const {
        return by_job_ ? by_job_->is_open(index) : on_processors_.is_open(index);
    }

    // Returns the number of unused processors, or of nodes without a job, in an open reservation.
    ProcCount left(std::uint32_t index) const {
        return by_job_ ? by_job_->left(index) : on_processors_.left(index);
    }

    // Returns true if no other job can start inside the open reservation.
    bool is_full(std::uint32_t index) const {
        return by_job_ ? by_job_->is_full(index) : on_processors_.left(index) == 0;
    }

    Time until(std::uint32_t index) const {
        return by_job_ ? by_job_->until(index) : on_processors_.until(index);
    }

  private:
    const UserReservations& on_processors_;
    const JobPools* by_job_;
};

} // namespace slotwise
