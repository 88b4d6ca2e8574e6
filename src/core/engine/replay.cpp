// Pools that share nothing are machines of their own: the jobs of each are a trace that is replayed
// on a plain machine of its size, and the rows of its schedule go to where the jobs stand.
//
// Example: the jobs 0 and 2 go to pool A, 1 and 3 to B. A trace of jobs 0 and 2 is replayed on A;
// what starts first and second there are rows 0 and 2.
//
// This is exact where time alone starts nobody (Scheduler::drifts()): then a pass with no event in
// a pool does nothing there, and the passes of its own events are all there are. A pool at a time
// is faster than all by turns, as its queue and its plan stay in the cache and no pass is looked
// after twice.
#include "engine/replay.hpp"

#include "admission/routing.hpp"
#include "engine/eligible_arrivals.hpp"
#include "order/order.hpp"
#include "planner/independent_pools.hpp"
#include "replay/job_ends.hpp"
#include "site/site_check.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

// Whether the order ranks once, and reads no more of a job than replay_of() gathers; an expression
// may read any column.
bool ranks_once(const OrderSpec& order) {
    return order.source == nullptr && order.key.empty() && !order.by_hand_first &&
           make_order(order)->is_static();
}

// Whether the pools of a completed site may share nothing; the schedulers have the last word.
bool may_be_apart(const Site& site, const IndependentPools::Layout& layout) {
    return site.policy.passes == Passes::per_instant && site.interruption.checkpoint_cost == 0 &&
           !site.has_torus() &&
           std::all_of(layout.policies.begin(), layout.policies.end(),
                       [](const Policy& policy) { return ranks_once(policy.order); });
}

template <class Value>
std::vector<Value> values_of(const std::vector<Value>& column, std::span<const JobId> rows) {
    std::vector<Value> values(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        values[i] = column[rows[i]];
    return values;
}

// The jobs `rows`, which ascend, on a machine of their own; the replay has still to be run.
Simulator replay_of(const JobTable& table, const ReplayJobs& jobs, std::span<const JobId> rows,
                    const Site& alone) {
    auto submits = std::make_shared<JobTable>();
    submits->submit = values_of(table.submit, rows);
    ReplayJobs part;
    part.table = submits.get();
    part.run_time = values_of(jobs.run_time, rows);
    part.requested_time = values_of(jobs.requested_time, rows);
    part.processors = values_of(jobs.processors, rows);
    part.first_submit = jobs.first_submit;
    return {std::move(submits), std::move(part), alone};
}

// The jobs of each pool that are not rejected, ascending: those of pool p from first[p] to
// first[p + 1].
struct RowsByPool {
    RowsByPool(const Routing& routing, const IndependentPools::Layout& layout)
        : first(layout.processors.size() + 1, 0) {
        const std::size_t n = routing.queue_of.size();
        const auto pool_of = [&](std::size_t job) { return layout.pool_of[routing.queue_of[job]]; };
        for (std::size_t job = 0; job < n; ++job)
            if (routing.reject_reason[job] == 0) ++first[pool_of(job) + 1];
        for (std::size_t p = 1; p < first.size(); ++p)
            first[p] += first[p - 1];
        rows.resize(first.back());
        std::vector<std::size_t> next(first);
        for (std::size_t job = 0; job < n; ++job)
            if (routing.reject_reason[job] == 0)
                rows[next[pool_of(job)]++] = static_cast<JobId>(job);
    }

    std::span<const JobId> of(std::size_t pool) const {
        return {rows.data() + first[pool], first[pool + 1] - first[pool]};
    }

    std::vector<JobId> rows;
    std::vector<std::size_t> first;
};

// The schedule before any job has started.
Schedule nobody_started(const Routing& routing) {
    const std::size_t n = routing.queue_of.size();
    Schedule schedule;
    schedule.start.assign(n, kNotStarted);
    schedule.backfilled.assign(n, 0);
    schedule.reject_reason = routing.reject_reason;
    schedule.queue.assign(routing.queue_of.begin(), routing.queue_of.end());
    schedule.pool.assign(n, static_cast<std::int16_t>(kAnyPool));
    return schedule;
}

void put_in_place(const Schedule& part, std::span<const JobId> rows, PoolId pool, Schedule& whole) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const JobId row = rows[i];
        whole.start[row] = part.start[i];
        whole.backfilled[row] = part.backfilled[i];
        whole.pool[row] = static_cast<std::int16_t>(pool);
    }
}

// The whole schedule; nothing where what happens in one pool may start a job in another.
std::optional<Schedule> replay_pools(const std::shared_ptr<const JobTable>& table,
                                     const Site& given, const Progress& progress) {
    check_replayable(given);
    const Site site = completed(given);
    if (!IndependentPools::fits(site)) return std::nullopt;
    const IndependentPools::Layout layout(site);
    if (!may_be_apart(site, layout)) return std::nullopt;
    const ReplayJobs jobs = make_replay_jobs(*table, site.policy);
    const Routing routing(site, jobs);
    const RowsByPool sorted(routing, layout);
    if (sorted.rows.empty()) throw std::invalid_argument(nobody_can_start(routing));
    Schedule schedule = nobody_started(routing);
    for (std::size_t pool = 0; pool < layout.policies.size(); ++pool) {
        const std::span<const JobId> rows = sorted.of(pool);
        if (rows.empty()) continue;
        Site alone;
        alone.processors = layout.processors[pool];
        alone.policy = layout.policies[pool];
        Simulator simulator = replay_of(*table, jobs, rows, alone);
        if (simulator.scheduler().drifts()) return std::nullopt;
        const Progress of_pool = [&](double done) {
            progress((static_cast<double>(sorted.first[pool]) +
                      done * static_cast<double>(rows.size())) /
                     static_cast<double>(sorted.rows.size()));
        };
        simulator.run(progress ? of_pool : Progress{});
        put_in_place(simulator.schedule(), rows, static_cast<PoolId>(pool), schedule);
    }
    end_jobs(
        schedule, jobs, [&](JobId job) { return table->run_time[job]; },
        [](JobId) { return true; });
    return schedule;
}

} // namespace

Schedule replay(const std::shared_ptr<const JobTable>& table, const Site& site,
                const Progress& progress) {
    const EligibleArrivals arrivals(*table, site.dependencies);
    if (arrivals.any()) return arrivals.in_log_order(replay(arrivals.table(), site, progress));
    if (!site.is_plain())
        if (std::optional<Schedule> schedule = replay_pools(table, site, progress))
            return *std::move(schedule);
    Simulator simulator(table, site);
    simulator.run(progress);
    return simulator.take_schedule();
}

} // namespace slotwise
