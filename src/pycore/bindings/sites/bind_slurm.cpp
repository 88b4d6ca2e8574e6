// Bindings for a single decision by Slurm's schedulers. The state is given as columns.
#include "admission/routing.hpp"
#include "bindings.hpp"
#include "columns.hpp"
#include "engine/simulator.hpp"
#include "planner/slurm/slurm_decision.hpp"
#include "planner/slurm/slurm_main.hpp"
#include "planner/slurm/slurm_planner.hpp"
#include "planner/slurm/slurm_site.hpp"
#include "replay/limit_checks.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

using Numbers = Column<std::int64_t>;

Amounts row_of(const Numbers& table, std::size_t row) {
    Amounts amounts;
    const auto n = static_cast<std::size_t>(table.shape(1));
    for (std::size_t r = 0; r < n; ++r)
        amounts.set(r, table.at(static_cast<py::ssize_t>(row), static_cast<py::ssize_t>(r)));
    return amounts;
}

std::int64_t value(const Numbers& column, std::size_t row) {
    return column.at(static_cast<py::ssize_t>(row));
}

void add_running(SlurmState& state, const py::dict& running) {
    const auto number = running["job"].cast<Numbers>();
    const auto end = running["end"].cast<Numbers>();
    const auto first = running["nodes_first"].cast<Numbers>();
    const auto nodes = running["nodes"].cast<Numbers>();
    const auto shares = running["shares"].cast<Numbers>();
    const auto partition = running["queue"].cast<Numbers>();
    for (std::size_t row = 0; row < static_cast<std::size_t>(end.size()); ++row) {
        SlurmState::Running job{.job = static_cast<JobId>(value(number, row)),
                                .partition = static_cast<std::uint32_t>(value(partition, row)),
                                .end = value(end, row),
                                .nodes = {},
                                .shares = {}};
        for (std::int64_t at = value(first, row); at < value(first, row + 1); ++at) {
            const auto place = static_cast<std::size_t>(at);
            job.nodes.push_back(static_cast<std::int32_t>(value(nodes, place)));
            job.shares.push_back(row_of(shares, place));
        }
        state.running.push_back(std::move(job));
    }
}

UnitDemand demand_of(const py::dict& waiting, std::size_t row) {
    UnitDemand demand;
    demand.units = static_cast<std::int32_t>(value(waiting["units"].cast<Numbers>(), row));
    demand.nodes = static_cast<std::int32_t>(value(waiting["nodes"].cast<Numbers>(), row));
    demand.constraint =
        static_cast<std::int32_t>(value(waiting["constraint"].cast<Numbers>(), row));
    demand.each.set(0, value(waiting["each"].cast<Numbers>(), row));
    return demand;
}

// Returns a key that is equal for jobs that request the same resources. As in a replay, such jobs
// share one entry in SlurmState::requests.
std::vector<std::int64_t> request_key(const UnitDemand& demand, const Amounts& on_each_node,
                                      bool takes_whole) {
    std::vector<std::int64_t> key{demand.units, demand.nodes, demand.constraint,
                                  takes_whole ? 1 : 0, demand.each[0]};
    for (std::size_t r = 0; r < on_each_node.size(); ++r)
        key.push_back(on_each_node[r]);
    return key;
}

void add_waiting(SlurmState& state, const py::dict& waiting) {
    const auto limit = waiting["limit"].cast<Numbers>();
    const auto priority = waiting["priority"].cast<Numbers>();
    const auto submit = waiting["submit"].cast<Numbers>();
    const auto number = waiting["job"].cast<Numbers>();
    const auto partition = waiting["queue"].cast<Numbers>();
    const auto user = waiting["user"].cast<Numbers>();
    const auto whole = waiting["exclusive"].cast<Numbers>();
    const auto per_node = waiting["per_node"].cast<Numbers>();
    std::map<std::vector<std::int64_t>, std::uint32_t> requests;
    for (std::size_t row = 0; row < static_cast<std::size_t>(limit.size()); ++row) {
        const auto at = static_cast<std::uint32_t>(value(partition, row));
        const bool takes_whole = value(whole, row) != 0 || state.cluster.partitions[at].whole_nodes;
        const UnitDemand demand = demand_of(waiting, row);
        const Amounts on_each = row_of(per_node, row);
        const auto made = static_cast<std::uint32_t>(state.requests.size());
        const auto [known, is_new] =
            requests.try_emplace(request_key(demand, on_each, takes_whole), made);
        if (is_new) state.requests.emplace_back(demand, on_each, takes_whole, *state.cluster.nodes);
        state.waiting.push_back({.job = static_cast<JobId>(value(number, row)),
                                 .request = known->second,
                                 .partition = at,
                                 .user = static_cast<std::int32_t>(value(user, row)),
                                 .limit = slurm_limit(value(limit, row)),
                                 .submit = value(submit, row),
                                 .eligible = value(submit, row),
                                 .priority = static_cast<double>(value(priority, row))});
    }
}

// Returns the jobs that count towards limits, in the order of the rows of `counted`.
std::vector<SlurmDecisionLimits::Counted> counted_jobs(const py::dict& counted) {
    // Each column contains owners of one kind, such as users; -1 means that the owner is unknown.
    const auto owners = counted["owners"].cast<Numbers>();
    const auto processors = counted["processors"].cast<Numbers>();
    const auto nodes = counted["nodes"].cast<Numbers>();
    const auto on_each = counted["on_each_node"].cast<Numbers>();
    std::vector<SlurmDecisionLimits::Counted> jobs(static_cast<std::size_t>(nodes.size()));
    for (std::size_t row = 0; row < jobs.size(); ++row) {
        for (std::size_t scope = 1; scope < kLimitScopes; ++scope) {
            const std::int64_t who =
                owners.at(static_cast<py::ssize_t>(row), static_cast<py::ssize_t>(scope));
            if (who >= 0) jobs[row].owner.of[scope] = static_cast<std::uint32_t>(who);
        }
        jobs[row].processors = static_cast<ProcCount>(value(processors, row));
        jobs[row].demand.units = static_cast<std::int32_t>(value(nodes, row));
        jobs[row].demand.nodes = jobs[row].demand.units;
        jobs[row].demand.each = row_of(on_each, row);
    }
    return jobs;
}

py::dict told(const SlurmDecision& decision) {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> first{0};
    std::vector<std::int32_t> nodes;
    for (const SlurmStart& start : decision.starts) {
        rows.push_back(static_cast<std::int64_t>(start.position));
        nodes.insert(nodes.end(), start.nodes.begin(), start.nodes.end());
        first.push_back(static_cast<std::int64_t>(nodes.size()));
    }
    py::list planned;
    for (const SlurmBackfill::Plan& plan : decision.plans)
        planned.append(py::make_tuple(plan.position, plan.begin, plan.end, plan.nodes));
    py::dict answer;
    answer["rows"] = own(std::move(rows));
    answer["nodes_first"] = own(std::move(first));
    answer["nodes"] = own(std::move(nodes));
    answer["planned"] = planned;
    answer["gpu_weights"] = own(std::vector<std::int32_t>(decision.gpu_weights));
    return answer;
}

py::dict slurm_decision(std::shared_ptr<Nodes> nodes, std::vector<std::int64_t> weights,
                        const std::vector<Queue>& queues,
                        const std::vector<std::vector<std::int32_t>>& constraints,
                        const Policy& policy, Time now, const py::dict& running,
                        const py::dict& waiting, const std::vector<std::int32_t>& completing,
                        bool is_main, bool is_full, std::vector<std::int32_t> gpu_weights,
                        std::vector<std::size_t> submitted, const std::optional<Limits>& limits,
                        const py::dict& counted) {
    SlurmState state{.cluster = SlurmCluster(std::move(nodes), std::move(weights)),
                     .rules = SlurmRules(policy),
                     .now = now,
                     .running = {},
                     .completing = {},
                     .requests = {},
                     .waiting = {},
                     .gpu_weights = std::move(gpu_weights),
                     .submitted = std::move(submitted),
                     .limits = {}};
    state.cluster.linear = state.rules.linear;
    for (const Queue& queue : queues)
        state.cluster.partitions.push_back(
            partition_of_queue(queue, state.cluster.n_nodes(), state.rules.linear));
    for (const std::vector<std::int32_t>& allowed : constraints)
        state.cluster.constraints.emplace_back(state.cluster.n_nodes(), allowed);
    state.completing = NodeBits(state.cluster.n_nodes(), completing);
    add_running(state, running);
    add_waiting(state, waiting);
    if (limits) state.limits.emplace(*limits, queues, counted_jobs(counted));
    SlurmDecision decision;
    {
        // The GIL is not needed here: no other thread uses `state`.
        const py::gil_scoped_release unlocked;
        decision = is_main ? slurm_main_decision(state, is_full ? kAnyDepth
                                                                : state.rules.default_queue_depth)
                           : slurm_backfill_decision(state);
    }
    return told(decision);
}

// Replays the trace up to the start of `job`. Returns notes on why the job waited, each as (time
// from which the reason applied, reason, another job or -1).
py::list slurm_notes(std::shared_ptr<const JobTable> table, const Site& site, JobId job) {
    std::vector<SlurmNote> notes;
    {
        // An order written in Python acquires the GIL itself.
        const py::gil_scoped_release unlocked;
        SlurmPlanner* planner = nullptr;
        Simulator simulator(std::move(table), PreparedSite(site),
                            [&](const ReplayContext& context) {
                                auto made = std::make_unique<SlurmPlanner>(context);
                                made->watch(job);
                                planner = made.get();
                                return made;
                            });
        simulator.run({}, job);
        notes = planner->notes();
    }
    static constexpr const char* kNames[] = {"untested", "nodes", "plan"};
    py::list found;
    for (const SlurmNote& note : notes)
        found.append(py::make_tuple(note.from, kNames[static_cast<std::size_t>(note.why)],
                                    note.job == kNoJob ? -1 : static_cast<std::int64_t>(note.job)));
    return found;
}

// Returns one value of type Exceeded per job, which shows the partition limit that the job exceeds.
// The value is 0 for a rejected job.
py::array slurm_exceeded(std::shared_ptr<const JobTable> table, const Site& site) {
    std::vector<std::uint8_t> found(table->size());
    const auto look = [&](const ReplayContext& context) {
        const SlurmSite known(context.site, context.routing.get(), context.jobs,
                              SlurmRules(context.policy));
        for (JobId job = 0; job < context.jobs.size(); ++job) {
            if (context.routing && context.routing->queue_of[job] == kNoQueue) continue;
            const Time limit = slurm_limit(context.jobs.requested_time[job]);
            found[job] = static_cast<std::uint8_t>(known.exceeded(job, limit));
        }
        return std::make_unique<SlurmPlanner>(context);
    };
    {
        // An order written in Python acquires the GIL itself.
        const py::gil_scoped_release unlocked;
        const Simulator simulator(std::move(table), PreparedSite(site), look);
    }
    return own(std::move(found));
}

} // namespace

void bind_slurm(py::module_& module) {
    module.def("slurm_decision", &slurm_decision, py::arg("nodes"), py::arg("weights"),
               py::arg("queues"), py::arg("constraints"), py::arg("policy"), py::arg("now"),
               py::arg("running"), py::arg("waiting"), py::arg("completing"), py::arg("is_main"),
               py::arg("is_full"), py::arg("gpu_weights"), py::arg("submitted"), py::arg("limits"),
               py::arg("counted"));
    module.def("slurm_notes", &slurm_notes, py::arg("table"), py::arg("site"), py::arg("job"));
    module.def("slurm_exceeded", &slurm_exceeded, py::arg("table"), py::arg("site"));
}

} // namespace slotwise::bindings
