#include "availability/user_reservations.hpp"

#include <algorithm>

namespace slotwise {

UserReservations::UserReservations(const Site& site)
    : site_(&site), open_(site.reservations.size()) {}

void UserReservations::announce(std::vector<PoolPlan>& plans) const {
    for (const UserReservation& reservation : site_->reservations)
        plans[reservation.pool].announce(recurrence_of(reservation), reservation.processors);
}

void UserReservations::begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans) {
    const UserReservation& reservation = site_->reservations[index];
    open_[index] = {time + reservation.duration, 0};
    plans[reservation.pool].take_away(reservation.processors);
}

void UserReservations::end(std::uint32_t index, const ReplayJobs& jobs,
                           std::vector<PoolPlan>& plans) {
    const UserReservation& reservation = site_->reservations[index];
    PoolPlan& plan = plans[reservation.pool];
    open_[index] = {};
    plan.give_back(reservation.processors);
    std::erase_if(inside_, [&](const auto& entry) {
        if (entry.second != index) return false;
        plan.take_in(jobs.processors[entry.first]);
        return true;
    });
}

ProcCount UserReservations::used_in(PoolId pool) const {
    ProcCount used = 0;
    for (std::size_t index = 0; index < open_.size(); ++index)
        if (site_->reservations[index].pool == pool) used += open_[index].used;
    return used;
}

void UserReservations::enter(std::uint32_t index, JobId job, Time estimated_end,
                             ProcCount processors, PoolPlan& plan) {
    Open& open = open_[index];
    open.used += processors;
    if (estimated_end > open.until) plan.fence(open.until, estimated_end, processors);
    inside_.emplace(job, index);
}

void UserReservations::leave(JobId job, Time estimated_end, ProcCount processors, PoolPlan& plan) {
    const auto entry = inside_.find(job);
    Open& open = open_[entry->second];
    open.used -= processors;
    if (estimated_end > open.until) {
        plan.unfence(open.until, estimated_end, processors);
        plan.note_eased();
    }
    inside_.erase(entry);
}

void UserReservations::prolong(JobId job, Time estimated_end, Time end, ProcCount processors,
                               PoolPlan& plan) {
    const Time until = open_[inside_.at(job)].until;
    plan.unfence(until, estimated_end, processors);
    plan.fence(until, end, processors);
}

} // namespace slotwise
