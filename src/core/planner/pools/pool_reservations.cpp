// PoolsPlanner: jobs inside the reservations of their users.
#include "admission/pool_gaps.hpp"
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

void PoolsPlanner::start_in_reservations() {
    const std::size_t n = layout_->site.reservations.size();
    for (std::uint32_t index = 0; index < n; ++index)
        if (reservations_.is_open(index) && reservations_.left(index) > 0)
            start_in_reservation(index);
}

// In the order of the pool.
void PoolsPlanner::start_in_reservation(std::uint32_t index) {
    const UserReservation& reservation = layout_->site.reservations[index];
    const Pool& pool = layout_->site.pools[reservation.pool];
    const ReplayJobs& jobs = context_.jobs;
    PoolQueue admitted;
    for (const JobId job : waiting_)
        if (waits(job) && is_for(reservation, jobs.user(job), jobs.group(job)))
            admitted.insert({layout_->orders.key(jobs, job, routing_->queue_of[job]), job,
                             jobs.processors[job], 0});
    std::vector<JobId> in_order = jobs_in_order(admitted);
    if (pool.has_threshold) {
        std::sort(in_order.begin(), in_order.end());
        std::stable_sort(in_order.begin(), in_order.end(), [&](JobId a, JobId b) {
            if (jobs.by_hand(a) != jobs.by_hand(b)) return jobs.by_hand(a) > jobs.by_hand(b);
            return factor(a) > factor(b);
        });
    }
    for (const JobId job : in_order)
        start_inside(job, index);
}

// Starts the job if it ends inside the window and finds its processors free there, and indeed free.
bool PoolsPlanner::start_inside(JobId job, std::uint32_t index) {
    const PoolId pool = layout_->site.reservations[index].pool;
    const Queue& queue = queue_of(job);
    const ProcCount processors = context_.jobs.processors[job];
    const Time length = std::max<Time>(context_.jobs.requested_time[job], 1);
    const ProcCount unused =
        outages_.present(pool) - pools_[pool].busy() - reservations_.used_in(pool);
    if (queue.spanning ||
        std::find(queue.pools.begin(), queue.pools.end(), pool) == queue.pools.end() ||
        processors > std::min(reservations_.left(index), unused) ||
        now_ + length > reservations_.until(index) || !is_eligible(job))
        return false;
    const Time end = ends_.start(job, now_, static_cast<Duration>(length_at_start(job)));
    reservations_.enter(index, job, end, processors, pools_[pool]);
    note_started(job, pool, false);
    touch(pool);
    return true;
}

} // namespace slotwise
