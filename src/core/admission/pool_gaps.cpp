#include "admission/pool_gaps.hpp"

#include "admission/job_owners.hpp"
#include "site/calendar.hpp"
#include "site/outage_shares.hpp"

#include <algorithm>

namespace slotwise {

PoolGaps::PoolGaps(const Site& site, Time first_submit) : site_(site) {
    for (const Outage& outage : site.outages)
        any_ = any_ || (outage.every > 0 && outage.mode == Outage::Mode::drain);
    for (const UserReservation& reservation : site.reservations)
        any_ = any_ || reservation.every > 0;
    const bool periodic = site.policy.passes == Passes::periodic;
    if (!any_ && !periodic) return;
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        std::size_t same = 0;
        while (site.queues[same].hours != site.queues[q].hours)
            ++same;
        if (same == q) {
            hours_.push_back(of_hours(site.queues[q], first_submit));
            any_ = any_ || hours_.back().starts.first_from(0) == kNever;
        }
        hours_of_.push_back(same == q ? hours_.size() - 1 : hours_of_[same]);
    }
}

PoolGaps::OfHours PoolGaps::of_hours(const Queue& queue, Time first_submit) const {
    const Policy& policy = site_.policy;
    const StartGrid grid{first_submit, policy.passes == Passes::periodic ? policy.period : 1};
    OfHours made{{grid, {queue.hours, site_.midnight}}, {}, {}};
    for (std::size_t pool = 0; pool < site_.pools.size(); ++pool) {
        std::vector<MaintenanceGaps::Windows> windows;
        for (const Outage& outage : site_.outages) {
            const ProcCount share = shares_of(site_, outage)[pool];
            if (outage.mode == Outage::Mode::drain && share > 0)
                windows.push_back({recurrence_of(outage), share});
        }
        for (const UserReservation& reservation : site_.reservations)
            if (reservation.pool == pool || reservation.pool == kAnyPool)
                windows.push_back({recurrence_of(reservation), reservation.processors});
        made.gaps.emplace_back(site_.pools[pool].processors, windows, made.starts);
    }
    for (const UserReservation& reservation : site_.reservations)
        made.inside.push_back(
            reservation.every > 0 ? longest_inside(recurrence_of(reservation), made.starts) : 0);
    return made;
}

// Returns the requested time of the job, but at least 1 s. If estimates are exact and jobs are not
// killed at their time limits, returns the longer of this time and the run time.
Time PoolGaps::longest_estimate(const ReplayJobs& jobs, JobId job) const {
    const Policy& policy = site_.policy;
    const bool outlives = policy.estimates == Estimates::exact && !policy.kill_at_limit;
    return std::max(
        {Time{jobs.requested_time[job]}, Time{outlives ? jobs.run_time[job] : 0U}, Time{1}});
}

bool PoolGaps::fit(const ReplayJobs& jobs, JobId job, QueueId queue,
                   std::span<const PoolId> pools) const {
    return keep(jobs.processors[job], longest_estimate(jobs, job), queue, pools);
}

bool PoolGaps::keep(ProcCount processors, Time length, QueueId queue,
                    std::span<const PoolId> pools) const {
    if (!any_) return true;
    const OfHours& hours = hours_[hours_of_[queue]];
    if (pools.size() == 1) return length <= hours.gaps[pools.front()].longest(processors);
    std::vector<const MaintenanceGaps*> gaps;
    for (const PoolId pool : pools)
        gaps.push_back(&hours.gaps[pool]);
    return fit_together(gaps, hours.starts, processors, length);
}

bool PoolGaps::fits_inside(const ReplayJobs& jobs, JobId job, QueueId queue,
                           std::span<const PoolId> pools) const {
    const OfHours& hours = hours_[hours_of_[queue]];
    const Time length = std::max<Time>(jobs.requested_time[job], 1);
    for (std::size_t at = 0; at < site_.reservations.size(); ++at) {
        const UserReservation& each = site_.reservations[at];
        const PoolId pool = each.pool == kAnyPool ? PoolId{0} : each.pool;
        if (length <= hours.inside[at] && jobs.processors[job] <= each.processors &&
            is_of(each.owners, jobs, job) &&
            std::find(pools.begin(), pools.end(), pool) != pools.end())
            return true;
    }
    return false;
}

} // namespace slotwise
