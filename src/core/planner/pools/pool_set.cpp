#include "planner/pools/pool_set.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

PoolSet::PoolSet(PoolsContext& context, PoolEvents& events)
    : context_(&context), events_(&events),
      machine_(context.layout->site, *context.routing, context.replay),
      pool_of_(context.jobs.size(), kAnyPool), ends_(context.replay, context.estimates),
      outages_(context.layout->site), reservations_(context.layout->site),
      running_(context.layout->has_calendar ? context.jobs.size() : 0) {
    const PoolsLayout& layout = *context.layout;
    const Duration horizon = horizon_of(context.jobs.requested_time);
    for (std::size_t p = 0; p < layout.site.pools.size(); ++p)
        plans_.emplace_back(layout.site.pools[p].processors, context.jobs.first_submit, horizon,
                            layout.forms[p]);
    if (machine_.by_job() != nullptr) return;
    outages_.announce(plans_);
    reservations_.announce(plans_);
}

void PoolSet::rebind(PoolsContext& context, PoolEvents& events) {
    context_ = &context;
    events_ = &events;
    ends_.rebind(context.replay);
    machine_.rebind(context.replay);
}

std::vector<ProcCount> PoolSet::free_in_each() const {
    std::vector<ProcCount> free;
    const JobPools* machine = machine_.by_job();
    for (std::size_t p = 0; p < plans_.size(); ++p) {
        const auto pool = static_cast<PoolId>(p);
        free.push_back(machine ? static_cast<ProcCount>(machine->free_processors(pool))
                               : plans_[p].free());
    }
    return free;
}

void PoolSet::advance() {
    for (PoolPlan& plan : plans_)
        plan.advance(context_->now);
    if (JobPools* machine = machine_.by_job()) machine->advance(context_->now);
}

void PoolSet::note_running(JobId job, PoolId pool) {
    pool_of_[job] = pool;
    ++n_running_;
    if (context_->layout->has_calendar) running_.insert(job);
}

void PoolSet::occupy(JobId job, PoolId pool, Time length) {
    const Time end = ends_.start(job, context_->now, static_cast<Duration>(length));
    if (JobPools* machine = machine_.by_job())
        machine->start(job, end);
    else
        plans_[pool].occupy(end, context_->jobs.processors[job]);
    note_running(job, pool);
}

// A job with a single share is treated like a job that runs in one pool.
Time PoolSet::occupy(JobId job, std::vector<PoolShare> shares, Time length) {
    const Time end = ends_.start(job, context_->now, static_cast<Duration>(length));
    for (const PoolShare& share : shares)
        plans_[share.pool].occupy(end, share.processors);
    if (shares.size() == 1) {
        note_running(job, shares[0].pool);
        return end;
    }
    for (const PoolShare& share : shares)
        spans_.push_back({job, context_->now, share.pool, share.processors});
    shares_[job] = std::move(shares);
    note_running(job, kAnyPool);
    return end;
}

void PoolSet::occupy_inside(JobId job, std::uint32_t reservation, Time length) {
    JobPools* machine = machine_.by_job();
    const PoolId pool = machine ? context_->queue_of(job).pools.front()
                                : context_->first_layout->site.reservations[reservation].pool;
    const Time end = ends_.start(job, context_->now, static_cast<Duration>(length));
    if (machine)
        machine->start_inside(job, reservation, end);
    else
        reservations_.enter(reservation, job, end, context_->jobs.processors[job], plans_[pool]);
    note_running(job, pool);
}

void PoolSet::vacate(JobId job, Time planned_end) {
    const ProcCount processors = context_->jobs.processors[job];
    const PoolId pool = pool_of_[job];
    const Time started = context_->schedule.start[job];
    const bool opens =
        planned_end > std::min(started + context_->jobs.run_time[job], context_->now) ||
        context_->policy.compress_at_every_end;
    ends_.forget(job);
    --n_running_;
    if (context_->layout->has_calendar) running_.erase(job);
    if (pool == kAnyPool) {
        for (const PoolShare& share : shares_[job]) {
            plans_[share.pool].vacate(planned_end, share.processors);
            note_vacated(share.pool, opens);
        }
        shares_.erase(job);
    } else {
        if (const NodePools* nodes = machine_.nodes())
            context_->eligibility.note_nodes(job, context_->routing->queue_of[job],
                                             nodes->places(job), -1);
        if (JobPools* machine = machine_.by_job()) {
            machine->vacate(job, planned_end);
        } else if (reservations_.is_inside(job)) {
            reservations_.leave(job, planned_end, processors, plans_[pool]);
        } else {
            plans_[pool].vacate(planned_end, processors);
        }
        note_vacated(pool, opens);
    }
    if (context_->eligibility.note_stopped(job, context_->routing->queue_of[job], processors))
        for (const PoolId each : context_->cluster_of(job).pools)
            events_->touch(each);
}

void PoolSet::note_vacated(PoolId pool, bool opens) {
    if (opens) events_->set_opened(pool, true);
    events_->touch(pool);
}

void PoolSet::correct_estimates() {
    ends_.correct(context_->now,
                  [&](JobId job, Time planned_end, Time end) { prolong(job, planned_end, end); });
}

Time PoolSet::planned_end(JobId job) const {
    const Time end = ends_.of(job, context_->estimates);
    const bool is_long = context_->layout->has_promises || context_->layout->reserves_nodes;
    return is_long ? std::max(end, context_->schedule.start[job] + 1) : end;
}

void PoolSet::plan_anew(std::span<const JobId> running, const std::vector<Time>& planned_ends) {
    ends_ = EstimatedEnds(context_->replay, context_->estimates);
    for (std::size_t i = 0; i < running.size(); ++i) {
        const JobId job = running[i];
        const auto length = static_cast<Duration>(context_->length_at_start(job));
        prolong(job, planned_ends[i], ends_.start(job, context_->schedule.start[job], length));
    }
}

void PoolSet::prolong(JobId job, Time planned_end, Time end) {
    const ProcCount processors = context_->jobs.processors[job];
    const PoolId pool = pool_of_[job];
    if (JobPools* machine = machine_.by_job()) return machine->prolong(job, planned_end, end);
    if (pool == kAnyPool) {
        for (const PoolShare& share : shares_[job])
            plans_[share.pool].prolong(planned_end, end, share.processors);
    } else if (reservations_.is_inside(job)) {
        reservations_.prolong(job, planned_end, end, processors, plans_[pool]);
    } else {
        plans_[pool].prolong(planned_end, end, processors);
    }
}

ProcCount PoolSet::processors_in(PoolId pool, JobId job) const {
    if (pool_of_[job] != kAnyPool)
        return pool_of_[job] == pool ? context_->jobs.processors[job] : ProcCount{0};
    for (const PoolShare& share : shares_.at(job))
        if (share.pool == pool) return share.processors;
    return 0;
}

void PoolSet::begin_outage(std::uint32_t index, Time time) {
    // The number of processors in use in each pool, including those used inside reservations.
    std::vector<ProcCount> busy(plans_.size(), 0);
    for (const JobId job : running_.jobs())
        for (std::size_t pool = 0; pool < busy.size(); ++pool)
            busy[pool] += processors_in(static_cast<PoolId>(pool), job);
    outages_.begin(index, time, plans_, std::move(busy));
}

void PoolSet::begin_reservation(std::uint32_t index, Time time) {
    reservations_.begin(index, time, plans_);
}

void PoolSet::end_reservation(std::uint32_t index) {
    reservations_.end(index, context_->jobs, plans_);
}

bool PoolSet::reach(const std::vector<PoolId>& pools, Time time) {
    bool found = false;
    for (const PoolId pool : pools)
        found = plans_[pool].reach(time) || found;
    return found;
}

std::uint64_t PoolSet::eased(const std::vector<PoolId>& pools) const {
    std::uint64_t sum = 0;
    for (const PoolId pool : pools)
        sum += plans_[pool].eased();
    return sum;
}

} // namespace slotwise
