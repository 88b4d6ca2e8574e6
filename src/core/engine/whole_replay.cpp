// Replays a trace from beginning to end. If pools share nothing, they are replayed one after
// another: the jobs of each pool form a trace of their own, which is replayed on a plain machine of
// the pool's size. The resulting schedule is then copied to the rows of these jobs.
//
// Example: jobs 0 and 2 run in pool A, and jobs 1 and 3 in pool B. A trace with only jobs 0 and 2
// is replayed on pool A, and its first and second rows are copied to rows 0 and 2 of the whole
// schedule.
//
// The result is exact if no job starts merely because time passes (see Scheduler::drifts()). In
// that case, a pass does nothing in a pool that has had no event. Replaying one pool at a time is
// faster than replaying all together, because the pool's queue and plan stay in the cache.
#include "engine/whole_replay.hpp"

#include "admission/routing.hpp"
#include "engine/arrivals/eligible_arrivals.hpp"
#include "engine/whole_node_replay.hpp"
#include "order/order.hpp"
#include "planner/independent_pools.hpp"
#include "replay/job_ends.hpp"
#include "site/prepared_site.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

// Returns true if the order ranks each job only once and reads only the columns that replay_of()
// copies. This excludes expressions, which may read any column, and the `multifactor` order, which
// reads the owners of jobs, the machine and its queues.
bool ranks_once(const OrderSpec& spec) {
    if (spec.source != nullptr || !spec.key.empty() || spec.manual_first) return false;
    const std::unique_ptr<Order> order = make_order(spec);
    return order->is_static() && !order->reads_sizes();
}

// Returns true if the pools of a prepared site may be independent. They are independent if, in
// addition, Scheduler::drifts() is false.
bool may_be_apart(const Site& site, const IndependentPools::Layout& layout) {
    return site.policy.passes == Passes::per_instant && site.interruption.checkpoint_cost == 0 &&
           !site.has_torus() &&
           std::all_of(layout.policies.begin(), layout.policies.end(),
                       [](const Policy& policy) { return ranks_once(policy.order); });
}

template <class Column> auto values_of(const Column& column, std::span<const JobId> rows) {
    std::vector<std::remove_cvref_t<decltype(column[0])>> values(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        values[i] = column[rows[i]];
    return values;
}

// Creates, but does not run, a replay of the jobs in `rows` (ascending) on a machine of their own.
Simulator replay_of(const JobTable& table, const ReplayJobs& jobs, std::span<const JobId> rows,
                    PreparedSite alone) {
    auto submits = std::make_shared<JobTable>();
    submits->submit = values_of(table.submit, rows);
    ReplayJobs part;
    part.table = submits.get();
    part.run_time = values_of(jobs.run_time, rows);
    part.requested_time = values_of(jobs.requested_time, rows);
    part.processors = values_of(jobs.processors, rows);
    part.first_submit = jobs.first_submit;
    return {std::move(submits), std::move(part), std::move(alone)};
}

// The rows of the accepted jobs, grouped by pool, and ascending within each pool. The rows of pool
// p are at the positions from first[p] to first[p + 1] − 1.
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

// Returns a schedule in which no job has started yet.
Schedule empty_schedule(const Routing& routing) {
    const std::size_t n = routing.queue_of.size();
    Schedule schedule;
    schedule.start.assign(n, kNotStarted);
    schedule.backfilled.assign(n, 0);
    schedule.reject_reason = routing.reject_reason;
    schedule.queue.assign(routing.queue_of.begin(), routing.queue_of.end());
    schedule.pool.assign(n, static_cast<std::int16_t>(kAnyPool));
    return schedule;
}

void put_in_place(const ScheduleSoFar& part, std::span<const JobId> rows, PoolId pool,
                  Schedule& whole) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const JobId row = rows[i];
        whole.start[row] = part.start[i];
        whole.backfilled[row] = part.backfilled[i];
        whole.pool[row] = static_cast<std::int16_t>(pool);
    }
}

// Returns the schedule of all jobs, or nullopt if an event in one pool may start a job in another
// pool.
std::optional<Schedule> replay_pools(const std::shared_ptr<const JobTable>& table, const Site& site,
                                     const Progress& progress) {
    if (!IndependentPools::fits(site)) return std::nullopt;
    const IndependentPools::Layout layout(site);
    if (!may_be_apart(site, layout)) return std::nullopt;
    ReplayJobs jobs = make_replay_jobs(*table, site.policy);
    const Routing routing(site, jobs);
    const RowsByPool sorted(routing, layout);
    if (sorted.rows.empty()) throw std::invalid_argument(nobody_can_start(routing));
    Schedule schedule = empty_schedule(routing);
    for (std::size_t pool = 0; pool < layout.policies.size(); ++pool) {
        const std::span<const JobId> rows = sorted.of(pool);
        if (rows.empty()) continue;
        Simulator simulator =
            replay_of(*table, jobs, rows,
                      PreparedSite::of_pool(layout.processors[pool], layout.policies[pool]));
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
    const EligibleArrivals arrivals(table, site);
    if (arrivals.any())
        return in_log_order(replay(arrivals.table(), arrivals.site_of_rows(site), progress),
                            arrivals.rows());
    PreparedSite prepared(site);
    if (!prepared->is_plain() && !prepared->has_nodes())
        if (std::optional<Schedule> schedule = replay_pools(table, *prepared, progress))
            return *std::move(schedule);
    if (prepared->has_nodes())
        if (std::optional<Schedule> schedule = replay_whole_nodes(table, site, prepared, progress))
            return *std::move(schedule);
    Simulator simulator(table, std::move(prepared));
    simulator.run(progress);
    return simulator.take_schedule();
}

} // namespace slotwise
