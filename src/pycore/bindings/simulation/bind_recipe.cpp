// Bindings that convert the recipe of a simulation, which is a list of its changes and their times,
// to and from plain values. Replaying a recipe restores the simulation.
#include "engine/arrivals/arrival_order.hpp"
#include "engine/arrivals/eligible_arrivals.hpp"
#include "simulation/python_dispatcher.hpp"
#include "simulation/stepped.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace slotwise::bindings {

namespace {

// A change as a tuple: its kind, its time, the row of its job (-1 if there is none), and a value.
using Written = std::tuple<int, Time, std::int64_t, double>;

std::vector<Written> changes(Stepped& stepped) {
    Look at(stepped);
    std::vector<Written> rows;
    const JobTable& table = *at->recipe().table;
    for (const Intervention& done : at->recipe().interventions)
        rows.emplace_back(static_cast<int>(done.change), done.at,
                          done.job == kNoJob ? -1 : std::int64_t{log_row(table, done.job)},
                          done.value);
    return rows;
}

// A decision of a dispatcher as a tuple: the number of the call, and the rows, pools and nodes of
// the jobs that it started. A log is a pair: the number of calls, and the decisions.
using WrittenAnswer = std::tuple<std::size_t, std::vector<JobId>, std::vector<PoolId>,
                                 std::vector<std::vector<std::int32_t>>>;
using WrittenLog = std::pair<std::size_t, std::vector<WrittenAnswer>>;

WrittenLog dispatch_log(Stepped& stepped) {
    Look at(stepped);
    WrittenLog written;
    if (const DispatchLog* log = at->live().tracker().dispatch_log()) {
        written.first = log->n_asked;
        for (const DispatchLog::Answer& answer : log->answers) {
            std::vector<JobId> jobs = answer.jobs;
            for (JobId& job : jobs)
                job = log_row(*at->recipe().table, job);
            written.second.emplace_back(answer.ask, std::move(jobs), answer.pools, answer.nodes);
        }
    }
    return written;
}

DispatchLog read(const WrittenLog& written, std::size_t n_jobs) {
    DispatchLog log{{}, written.first};
    for (const auto& [ask, jobs, pools, nodes] : written.second) {
        const bool known =
            std::all_of(jobs.begin(), jobs.end(), [&](JobId job) { return job < n_jobs; });
        if (!known || jobs.size() != pools.size() || jobs.size() != nodes.size())
            throw std::invalid_argument(
                "a recorded answer contains unknown jobs; the snapshot is damaged");
        log.answers.push_back({ask, jobs, pools, nodes});
    }
    return log;
}

// Rejects the last possible time, because the engine would have to advance one second beyond it.
void check_time(Time at) {
    if (at == kNever)
        throw std::invalid_argument("a change at " + std::to_string(at) +
                                    " is too late; the snapshot is damaged");
}

Intervention read(const Written& written, std::size_t n_jobs) {
    const auto& [change, at, job, value] = written;
    const bool is_of_none =
        change == static_cast<int>(Change::move) || change == static_cast<int>(Change::policy);
    if (change < 0 || change > static_cast<int>(Change::policy) || job < (is_of_none ? -1 : 0) ||
        job >= static_cast<std::int64_t>(n_jobs))
        throw std::invalid_argument("a change of kind " + std::to_string(change) + " to row " +
                                    std::to_string(job) +
                                    " is not possible; the snapshot is damaged");
    check_time(at);
    return {.change = static_cast<Change>(change),
            .at = at,
            .job = job < 0 ? kNoJob : static_cast<JobId>(job),
            .value = value};
}

// Converts start times from the row order of the log to the order of arrival.
std::vector<Time> by_arrival(const std::vector<Time>& starts,
                             const std::shared_ptr<const JobTable>& jobs, const Site& site) {
    const EligibleArrivals arrivals(jobs, site);
    if (!arrivals.any() || starts.size() != jobs->size()) return starts;
    std::vector<Time> sorted;
    for (const JobId row : arrivals.rows())
        sorted.push_back(starts[row]);
    return sorted;
}

// Replays a recipe, and returns the simulation. A dispatcher is in charge from the beginning if
// `site_is_external` is true, and after a change of policy if the flag of the new policy is true.
// Its past decisions are repeated. If Site::is_plain() is true, `starts` contains the start time of
// each row; otherwise, `log` contains the decisions. The simulation then continues under
// `dispatch`.
SteppedPtr replayed(std::shared_ptr<const JobTable> jobs, const Site& site, bool site_is_external,
                    const std::vector<Written>& changes,
                    const std::vector<std::pair<Policy, bool>>& policies, Time handled,
                    const std::vector<Time>& starts, const WrittenLog& log,
                    const py::object& dispatch) {
    const std::shared_ptr<Dispatcher> recorded =
        site.is_plain() ? recorded_dispatcher(by_arrival(starts, jobs, site))
                        : dispatcher_of(dispatch);
    std::vector<Intervention> interventions;
    std::size_t n_policies = 0;
    bool external = site_is_external;
    for (const Written& written : changes) {
        Intervention done = read(written, jobs->size());
        if (done.change == Change::policy) {
            if (n_policies == policies.size())
                throw std::invalid_argument(
                    "there are more changes of policy than policies; the snapshot is damaged");
            external = policies[n_policies].second;
            done.policy = std::make_shared<const Policy>(policies[n_policies++].first);
            if (external) done.dispatcher = recorded;
        }
        interventions.push_back(std::move(done));
    }
    if (n_policies != policies.size())
        throw std::invalid_argument(
            "there are more policies than changes of policy; the snapshot is damaged");
    if (starts.size() != jobs->size())
        throw std::invalid_argument(
            "the number of start times differs from the number of jobs; the snapshot is damaged");
    check_time(handled);
    const bool asks_anew = external && site.is_plain();
    const std::size_t n_jobs = jobs->size();
    SteppedPtr made;
    {
        // The GIL is not needed here: the trace is read-only, and nothing else is shared with other
        // threads.
        const py::gil_scoped_release unlocked;
        Recipe recipe{.table = std::move(jobs),
                      .site = site,
                      .dispatcher = site_is_external ? recorded : nullptr,
                      .interventions = std::move(interventions),
                      .handled = handled};
        DispatchLog past = read(log, n_jobs);
        sort_by_arrival(recipe, past);
        made = std::make_shared<Stepped>(std::move(recipe), std::move(past));
    }
    if (asks_anew) made->simulation->ask(dispatcher_of(dispatch));
    return made;
}

} // namespace

std::shared_ptr<Dispatcher> dispatcher_of(const py::object& dispatch) {
    if (dispatch.is_none()) return nullptr;
    return std::make_shared<PythonDispatcher>(dispatch);
}

void bind_recipe(py::class_<Stepped, SteppedPtr>& simulation) {
    simulation.def("changes", &changes)
        .def("dispatch_log", &dispatch_log)
        .def_property_readonly("handled", [](Stepped& self) { return Use(self)->recipe().handled; })
        .def_static("replayed", &replayed, py::arg("jobs").none(false), py::arg("site"),
                    py::arg("site_is_external"), py::arg("changes"), py::arg("policies"),
                    py::arg("handled"), py::arg("starts"), py::arg("dispatch_log"),
                    py::arg("dispatch") = py::none());
}

} // namespace slotwise::bindings
