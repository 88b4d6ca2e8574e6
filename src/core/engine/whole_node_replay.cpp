#include "engine/whole_node_replay.hpp"

#include "machine/nodes/unit_room.hpp"
#include "site/backfill.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

// Returns true if the site has only rules under which replays on nodes and on processors are known
// to agree. Under any other rules, jobs are planned node by node.
bool has_plain_rules(const Site& site, const Site& prepared) {
    return site.queues.empty() && site.pools.empty() && prepared.queues.size() == 1 &&
           !prepared.has_limits() && !prepared.has_calendar() && !prepared.dependencies &&
           !prepared.plans_queues && prepared.interruption.checkpoint_cost == 0;
}

// Returns true if the policy has only rules under which replays on nodes and on processors are
// known to agree. Under these rules, jobs that start at the same instant do so in trace order, and
// no job runs longer than its estimate.
bool has_plain_policy(const Policy& policy) {
    const bool has_plain_order = policy.order == OrderSpec{} && !policy.backfill_order;
    const bool has_plain_events = policy.passes == Passes::per_instant &&
                                  policy.event_order == EventOrder::completions_first &&
                                  !policy.ending_now_is_free && !policy.promise_per_arrival;
    const bool has_plain_reservations = policy.spare_processors && !policy.strict_end &&
                                        !policy.frozen_reservation && !policy.compress_at_every_end;
    return has_plain_order && has_plain_events && has_plain_reservations &&
           policy.reserve == Reserve::numbers && policy.allocation == Allocation::first &&
           policy.estimates == Estimates::requested &&
           policy.waiting_estimates == Estimates::requested && policy.kill_at_limit &&
           backfill_registry().find(policy.backfill).plans_nodes_as_processors;
}

// Returns true if all nodes are of a single type, and every job takes whole nodes, may use any
// node, and needs no more nodes than there are.
bool takes_whole_nodes(const JobDemands& demands) {
    if (demands.nodes->classes.size() != 1) return false;
    const NodeClass& nodes = demands.nodes->classes.front();
    return std::all_of(demands.kinds.begin(), demands.kinds.end(), [&](const UnitDemand& demand) {
        const UnitRoom::OnClass on = UnitRoom(demand).on(nodes);
        const bool is_whole = demand.exclusive == Exclusive::job || on.whole;
        return is_whole && on.most > 0 && demand.exclusive != Exclusive::user &&
               demand.per_node == 0 && demand.nodes == 0 && demand.constraint < 0 &&
               demand.units <= nodes.count;
    });
}

// Returns true if no job has length 0. Such a job would start and end at the same instant, which
// takes several passes.
bool has_lengths(const ReplayJobs& jobs) {
    return std::find(jobs.run_time.begin(), jobs.run_time.end(), 0U) == jobs.run_time.end() &&
           std::find(jobs.requested_time.begin(), jobs.requested_time.end(), 0U) ==
               jobs.requested_time.end();
}

} // namespace

std::optional<Schedule> replay_whole_nodes(const std::shared_ptr<const JobTable>& table,
                                           const Site& site, const PreparedSite& prepared,
                                           const Progress& progress) {
    if (!has_plain_rules(site, *prepared) || !has_plain_policy(prepared->policy) ||
        !takes_whole_nodes(*prepared->demands))
        return std::nullopt;
    ReplayJobs jobs = make_replay_jobs(*table, prepared->policy);
    if (jobs.size() == 0 || !has_lengths(jobs)) return std::nullopt;
    auto places = std::make_shared<WholeNodePlaces>();
    places->nodes = prepared->demands->nodes->size();
    for (JobId job = 0; job < jobs.size(); ++job)
        places->units.push_back(prepared->demands->demand(job).units);
    std::copy(places->units.begin(), places->units.end(), jobs.processors.change().begin());
    Simulator simulator(table, std::move(jobs),
                        PreparedSite::of_pool(places->nodes, prepared->policy));
    if (simulator.scheduler().drifts()) return std::nullopt;
    simulator.run(progress);
    Schedule schedule = simulator.take_schedule();
    const std::size_t n = places->units.size();
    schedule.reject_reason.assign(n, 0);
    schedule.queue.assign(n, 0);
    schedule.pool.assign(n, 0);
    schedule.whole_nodes = std::move(places);
    return schedule;
}

} // namespace slotwise
