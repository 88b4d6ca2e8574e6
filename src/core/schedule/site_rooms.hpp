// Which pools have room for a job between the windows that come back for ever.
#pragma once

#include "engine/replay_jobs.hpp"
#include "engine/site.hpp"
#include "schedule/room_between.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// The windows are those of periodic drains and of periodic reservations; a job fits into a
// reservation of its own user or group. Of a completed site, which outlives it.
class SiteRooms {
  public:
    explicit SiteRooms(const Site& site);

    // Whether there is a window at all.
    bool any() const { return any_; }

    // Whether `pools`, each with what it has then, ever keep the job's processors for its whole
    // requested_time (at least 1 s), as if it were alone.
    bool fit(const ReplayJobs& jobs, JobId job, std::span<const PoolId> pools) const;

  private:
    bool fits_inside(const ReplayJobs& jobs, JobId job, std::span<const PoolId> pools) const;

    const Site& site_;
    bool any_ = false;
    std::vector<RoomBetween> rooms_; // by pool
};

// Whether a job of this user and group is one the reservation is for.
bool is_for(const UserReservation& reservation, std::int32_t user, std::int32_t group);

} // namespace slotwise
