#include "schedule/site_rooms.hpp"

#include "engine/calendar.hpp"
#include "schedule/outage_shares.hpp"

#include <algorithm>

namespace slotwise {

bool is_for(const UserReservation& reservation, std::int32_t user, std::int32_t group) {
    const auto among = [](const std::vector<std::int32_t>& known, std::int32_t one) {
        return one >= 0 && std::find(known.begin(), known.end(), one) != known.end();
    };
    return among(reservation.users, user) || among(reservation.groups, group);
}

SiteRooms::SiteRooms(const Site& site) : site_(site) {
    for (const Outage& outage : site.outages)
        any_ = any_ || (outage.every > 0 && outage.mode == Outage::Mode::drain);
    for (const UserReservation& reservation : site.reservations)
        any_ = any_ || reservation.every > 0;
    for (std::size_t pool = 0; any_ && pool < site.pools.size(); ++pool) {
        std::vector<RoomBetween::Windows> windows;
        for (const Outage& outage : site.outages) {
            const ProcCount share = shares_of(site, outage)[pool];
            if (outage.mode == Outage::Mode::drain && share > 0)
                windows.push_back({recurrence_of(outage), share});
        }
        for (const UserReservation& reservation : site.reservations)
            if (reservation.pool == pool || reservation.pool == kAnyPool)
                windows.push_back({recurrence_of(reservation), reservation.processors});
        rooms_.emplace_back(site.pools[pool].processors, windows);
    }
}

bool SiteRooms::fit(const ReplayJobs& jobs, JobId job, std::span<const PoolId> pools) const {
    if (fits_inside(jobs, job, pools)) return true;
    const Time length = std::max<Time>(jobs.requested_time[job], 1);
    if (pools.size() == 1) return length <= rooms_[pools.front()].longest(jobs.processors[job]);
    std::vector<const RoomBetween*> rooms;
    for (const PoolId pool : pools)
        rooms.push_back(&rooms_[pool]);
    return fit_together(rooms, jobs.processors[job], length);
}

bool SiteRooms::fits_inside(const ReplayJobs& jobs, JobId job,
                            std::span<const PoolId> pools) const {
    return std::any_of(site_.reservations.begin(), site_.reservations.end(),
                       [&](const UserReservation& each) {
                           const PoolId pool = each.pool == kAnyPool ? PoolId{0} : each.pool;
                           return each.every > 0 && is_for(each, jobs.user(job), jobs.group(job)) &&
                                  jobs.processors[job] <= each.processors &&
                                  std::max<Time>(jobs.requested_time[job], 1) <= each.duration &&
                                  std::find(pools.begin(), pools.end(), pool) != pools.end();
                       });
}

} // namespace slotwise
