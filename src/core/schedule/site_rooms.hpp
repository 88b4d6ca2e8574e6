// Which pools have room for a job between the windows that come back for ever.
#pragma once

#include "engine/replay_jobs.hpp"
#include "engine/site.hpp"
#include "schedule/room_between.hpp"
#include "types.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// The windows are those of periodic drains, and those of periodic reservations of which the job is
// no user. Of a completed site, which outlives it.
class SiteRooms {
  public:
    explicit SiteRooms(const Site& site);

    // Whether there is a window at all.
    bool any() const { return any_; }

    // Whether `pools` together ever keep the job's processors for its whole requested_time (at
    // least 1 s), as if it were alone.
    bool fit(const ReplayJobs& jobs, JobId job, std::span<const PoolId> pools);

  private:
    using Barred = std::vector<std::size_t>; // reservations the job may not use

    RoomBetween make_room(std::span<const PoolId> pools, const Barred& barred) const;

    const Site& site_;
    bool any_ = false;
    std::map<std::pair<std::vector<PoolId>, Barred>, RoomBetween> rooms_;
};

// Whether a job of this user and group is one the reservation is for.
bool is_for(const UserReservation& reservation, std::int32_t user, std::int32_t group);

} // namespace slotwise
