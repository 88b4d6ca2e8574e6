#include "planner/pools/job_transitions.hpp"

#include "admission/job_owners.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

void JobTransitions::enqueue(JobId job) {
    lines_->join(job);
    promises_->enter(job);
}

// Handles the ends and submissions since the last pass in chronological order. The order matters
// because limits on submitted jobs count the jobs that are in the system when a job is submitted.
void JobTransitions::arrive(std::span<const JobId> arrived) {
    if (!context_->eligibility.has_limits()) { // submitted jobs need not be counted
        for (const JobId job : arrived)
            enqueue(job);
        return;
    }
    for (const JobId job : arrived) {
        count_ends_until(context_->jobs.submit(job));
        outside_.push_back(job);
        admit_outside();
    }
    count_ends_until(kNever);
    uncounted_.clear();
    n_counted_ = 0;
}

void JobTransitions::count_ends_until(Time time) {
    while (n_counted_ < uncounted_.size() && uncounted_[n_counted_].end <= time) {
        const Time end = uncounted_[n_counted_].end;
        for (; n_counted_ < uncounted_.size() && uncounted_[n_counted_].end == end; ++n_counted_) {
            const JobId job = uncounted_[n_counted_].job;
            context_->eligibility.note_submitted(job, context_->routing->queue_of[job], -1);
        }
        admit_outside();
    }
}

// Moves the jobs that now meet the limits on submitted jobs into the queue. All others stay outside
// the queue or are rejected.
void JobTransitions::admit_outside() {
    Eligibility& eligibility = context_->eligibility;
    const bool holds = context_->layout->site.limits.holds_submitted;
    std::erase_if(outside_, [&](JobId job) {
        const QueueId queue = context_->routing->queue_of[job];
        if (eligibility.admits(job, queue)) {
            eligibility.note_submitted(job, queue, 1);
            enqueue(job);
        } else if (!holds) {
            turned_away_.push_back(job);
            open_followers(job, context_->now, JobEnding::turned_away);
        } else {
            return false;
        }
        return true;
    });
}

void JobTransitions::start(JobId job, PoolId pool, bool past_another, Time length) {
    pools_->occupy(job, pool, length);
    note_started(job, past_another);
}

void JobTransitions::start_unqueued(JobId job, PoolId pool, Time length) {
    pools_->occupy(job, pool, length);
    successor_ = kNoJob;
    context_->starts->add(job, false);
}

Time JobTransitions::start_spanning(JobId job, std::vector<PoolShare> shares) {
    const Time end = pools_->occupy(job, std::move(shares), context_->length_at_start(job));
    note_started(job, false);
    return end;
}

void JobTransitions::note_started(JobId job, bool past_another) {
    context_->eligibility.note_started(job, context_->routing->queue_of[job],
                                       context_->jobs.processors[job]);
    if (const NodePools* nodes = pools_->machine().nodes())
        context_->eligibility.note_nodes(job, context_->routing->queue_of[job], nodes->places(job),
                                         1);
    if (context_->layout->has_promises) promises_->leave(job);
    successor_ = lines_->leave(job);
    context_->starts->add(job, past_another);
    if (const IntervalPools* intervals = pools_->machine().intervals()) {
        context_->starts->nodes.push_back(intervals->nodes_of(job));
        context_->starts->close_nodes();
    }
}

void JobTransitions::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        pools_->vacate(job);
        note_over(job, context_->schedule.start[job] + context_->jobs.run_time[job],
                  context_->jobs.succeeds(job) ? JobEnding::succeeded : JobEnding::failed);
    }
    context_->estimates.note_ended(ended);
}

void JobTransitions::note_over(JobId job, Time end, JobEnding ending) {
    promises_->note_change();
    if (context_->eligibility.has_limits()) uncounted_.push_back({job, end});
    open_followers(job, end, ending);
}

void JobTransitions::open_followers(JobId job, Time end, JobEnding ending) {
    context_->eligibility.note_over(job, end, ending, [&](JobId dependent, Time opens) {
        if (!lines_->waits(dependent)) return;
        context_->eligibility.note_opened(dependent, context_->routing->queue_of[dependent]);
        lines_->note_opened(dependent, opens);
    });
}

void JobTransitions::leave(JobId job) {
    context_->eligibility.note_submitted(job, context_->routing->queue_of[job], -1);
    promises_->leave(job);
    lines_->leave(job);
}

void JobTransitions::reorder(JobId job, const std::function<void()>& change) {
    promises_->leave(job);
    lines_->step_out(job);
    change();
    lines_->enter(job);
    promises_->enter(job);
}

void JobTransitions::tidy() {
    if (lines_->tidy() && context_->layout->has_promises) promises_->tidy();
}

void JobTransitions::start_in_reservations() {
    const std::size_t n = context_->layout->site.reservations.size();
    for (std::uint32_t index = 0; index < n; ++index)
        if (pools_->open_reservations().is_open(index) &&
            !pools_->open_reservations().is_full(index))
            start_in_reservation(index);
}

void JobTransitions::start_in_reservation(std::uint32_t index) {
    const UserReservation& reservation = context_->layout->site.reservations[index];
    const Pool& pool = context_->layout->site.pools[reservation.pool];
    const ReplayJobs& jobs = context_->jobs;
    PoolQueue admitted;
    for (const JobId job : lines_->listed())
        if (lines_->waits(job) && is_of(reservation.owners, jobs, job))
            admitted.insert({context_->key(job), job, jobs.processors[job], 0});
    std::vector<JobId> in_order = lines_->jobs_in_order(admitted);
    if (pool.has_threshold) {
        std::sort(in_order.begin(), in_order.end());
        std::stable_sort(in_order.begin(), in_order.end(), [&](JobId a, JobId b) {
            if (jobs.manual_priority(a) != jobs.manual_priority(b))
                return jobs.manual_priority(a) > jobs.manual_priority(b);
            return context_->factor(a) > context_->factor(b);
        });
    }
    for (const JobId job : in_order)
        start_inside(job, index);
}

bool JobTransitions::start_inside(JobId job, std::uint32_t index) {
    if (pools_->machine().by_job() != nullptr) return start_inside_by_job(job, index);
    const UserReservations& reservations = pools_->reservations();
    const PoolId pool = context_->layout->site.reservations[index].pool;
    const Queue& queue = context_->queue_of(job);
    const ProcCount processors = context_->jobs.processors[job];
    const Time length = std::max<Time>(context_->jobs.requested_time[job], 1);
    const ProcCount unused =
        pools_->outages().present(pool) - pools_->plan(pool).busy() - reservations.used_in(pool);
    if (queue.spanning ||
        std::find(queue.pools.begin(), queue.pools.end(), pool) == queue.pools.end() ||
        processors > std::min(reservations.left(index), unused) ||
        context_->now + length > reservations.until(index) || !context_->is_eligible(job))
        return false;
    pools_->occupy_inside(job, index, context_->length_at_start(job));
    note_started(job, false);
    events_->touch(pool);
    return true;
}

bool JobTransitions::start_inside_by_job(JobId job, std::uint32_t index) {
    const Time length = std::max<Time>(context_->jobs.requested_time[job], 1);
    if (context_->now + length > pools_->open_reservations().until(index) ||
        !context_->is_eligible(job))
        return false;
    const QueueId queue = context_->routing->queue_of[job];
    if (!pools_->machine().by_job()->fits_inside(job, length, index)) return false;
    NodePools* nodes = pools_->machine().nodes();
    if (nodes != nullptr && !context_->eligibility.allows_on(job, queue, nodes->found())) {
        nodes->note_misplaced(job, length);
        return false;
    }
    pools_->occupy_inside(job, index, context_->length_at_start(job));
    note_started(job, false);
    events_->touch(context_->queue_of(job).pools.front());
    return true;
}

} // namespace slotwise
