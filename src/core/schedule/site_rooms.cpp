#include "schedule/site_rooms.hpp"

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
}

bool SiteRooms::fit(const ReplayJobs& jobs, JobId job, std::span<const PoolId> pools) {
    Barred barred;
    for (std::size_t r = 0; r < site_.reservations.size(); ++r)
        if (!is_for(site_.reservations[r], jobs.user(job), jobs.group(job))) barred.push_back(r);
    std::pair key(std::vector<PoolId>(pools.begin(), pools.end()), std::move(barred));
    auto found = rooms_.find(key);
    if (found == rooms_.end()) {
        RoomBetween room = make_room(pools, key.second);
        found = rooms_.emplace(std::move(key), std::move(room)).first;
    }
    const Time length = std::max<Time>(jobs.requested_time[job], 1);
    return length <= found->second.longest(jobs.processors[job]);
}

RoomBetween SiteRooms::make_room(std::span<const PoolId> pools, const Barred& barred) const {
    std::vector<RoomBetween::Windows> windows;
    ProcCount processors = 0;
    for (const PoolId pool : pools) {
        processors += site_.pools[pool].processors;
        for (const Outage& outage : site_.outages) {
            const ProcCount share = shares_of(site_, outage)[pool];
            if (outage.mode == Outage::Mode::drain && share > 0)
                windows.push_back({recurrence_of(outage), share});
        }
        for (const std::size_t r : barred) {
            const UserReservation& reservation = site_.reservations[r];
            if (reservation.pool == pool || reservation.pool == kAnyPool)
                windows.push_back({recurrence_of(reservation), reservation.processors});
        }
    }
    return {processors, windows};
}

} // namespace slotwise
