#include "decisions/decision_arguments.hpp"

#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotwise::bindings {

std::size_t checked_choice(const DecisionReplay& replay, std::int64_t choice) {
    if (replay.done())
        throw std::invalid_argument("the episode is over; call reset() before the next step");
    const DecisionOptions& options = replay.options();
    const std::size_t n =
        options.decides == Decides::policy ? replay.jobs().rules().size() : options.window;
    if (choice < 0 || choice >= static_cast<std::int64_t>(n))
        throw std::invalid_argument("the action is " + std::to_string(choice) +
                                    "; use a whole number from 0 to " + std::to_string(n - 1));
    return static_cast<std::size_t>(choice);
}

void begin_episode(DecisionReplay& replay, JobId first, JobId last, JobId warm_from) {
    if (first >= last || last > replay.jobs().size() || warm_from > first)
        throw std::invalid_argument("the episode would have the rows " + std::to_string(first) +
                                    " to " + std::to_string(last) + ", with warm-up from row " +
                                    std::to_string(warm_from) + "; the trace has " +
                                    std::to_string(replay.jobs().size()) + " jobs");
    replay.begin(first, last, warm_from);
}

void check_scores(const double* scores, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (std::isnan(scores[i]))
            throw std::invalid_argument("the score of job " + std::to_string(i) +
                                        " in the window is NaN; pass a number for every job");
}

namespace {

template <class Get> py::array values_of(std::span<const JobId> jobs, Get&& get) {
    std::vector<std::int64_t> values(jobs.size());
    std::transform(jobs.begin(), jobs.end(), values.begin(),
                   [&](JobId job) { return static_cast<std::int64_t>(get(job)); });
    return own(std::move(values));
}

py::dict columns_of_jobs(const DecisionReplay& replay, std::span<const JobId> jobs) {
    const ReplayJobs& columns = replay.jobs().columns();
    const JobTable& table = replay.jobs().table();
    py::dict found;
    found["row"] = values_of(jobs, [](JobId job) { return job; });
    found["job_id"] = values_of(
        jobs, [&](JobId job) { return table.job_id.empty() ? job + 1 : table.job_id[job]; });
    found["submit"] = values_of(jobs, [&](JobId job) { return table.submit[job]; });
    found["requested_time"] =
        values_of(jobs, [&](JobId job) { return columns.requested_time[job]; });
    found["processors"] = values_of(jobs, [&](JobId job) { return columns.processors[job]; });
    found["user"] = values_of(jobs, [&](JobId job) { return columns.user(job); });
    return found;
}

} // namespace

py::dict queue_columns(const DecisionReplay& replay) {
    return columns_of_jobs(replay, replay.waiting());
}

py::dict running_columns(const DecisionReplay& replay) {
    const ReplayJobs& columns = replay.jobs().columns();
    std::vector<JobId> jobs;
    std::vector<std::int64_t> start;
    for (const RunningJobs::Running& running : replay.state().running.by_estimate()) {
        jobs.push_back(running.job);
        start.push_back(running.estimated_end - columns.requested_time[running.job]);
    }
    py::dict found = columns_of_jobs(replay, jobs);
    found["start"] = own(std::move(start));
    return found;
}

py::dict totals_of(const DecisionReplay& replay) {
    const Totals& totals = replay.totals();
    py::dict found;
    found["waited"] = totals.waited;
    found["waited_area"] = totals.waited_area;
    found["busy_area"] = totals.busy_area;
    found["presence"] = totals.presence;
    found["bounded_slowdown"] = totals.bounded_slowdown;
    found["n_started"] = totals.n_started;
    found["seconds"] = totals.seconds;
    found["n_jobs"] = replay.state().n_jobs;
    return found;
}

py::array starts_of(const DecisionReplay& replay) {
    std::vector<std::int64_t> start(replay.state().last - replay.state().first, kNotStarted);
    replay.state().starts.for_each([&](const StartLog::Start& started) {
        if (started.job >= replay.state().first)
            start[started.job - replay.state().first] = started.time;
    });
    return own(std::move(start));
}

py::tuple state_of(const DecisionReplay& replay) {
    const DecisionState& at = replay.state();
    const Totals& sums = at.totals;
    std::vector<std::tuple<JobId, Time, Time>> running;
    at.running.for_each_end([&](JobId job, Time estimated_end, Time end) {
        running.emplace_back(job, estimated_end, end);
    });
    std::vector<std::pair<JobId, Time>> starts;
    at.starts.for_each(
        [&](const StartLog::Start& start) { starts.emplace_back(start.job, start.time); });
    return py::make_tuple(
        py::make_tuple(at.rule, at.first, at.last, at.next, at.n_jobs, at.now, at.next_choice,
                       at.free, at.waiting_processors, at.presence, at.done, at.pass_due,
                       at.has_chosen, at.has_moved, at.kept, at.n_masked),
        at.waiting, running, starts,
        py::make_tuple(sums.waited, sums.waited_area, sums.busy_area, sums.presence,
                       sums.bounded_slowdown, sums.n_started, sums.seconds));
}

void resume_from(DecisionReplay& replay, const py::tuple& written) {
    DecisionState at;
    const auto fields = written[0].cast<py::tuple>();
    std::size_t next = 0;
    const auto take = [&](auto& to) {
        to = fields[next++].cast<std::remove_cvref_t<decltype(to)>>();
    };
    take(at.rule), take(at.first), take(at.last), take(at.next), take(at.n_jobs), take(at.now);
    take(at.next_choice), take(at.free), take(at.waiting_processors), take(at.presence);
    take(at.done), take(at.pass_due), take(at.has_chosen), take(at.has_moved), take(at.kept);
    take(at.n_masked);
    at.waiting = written[1].cast<std::vector<JobId>>();
    const ReplayJobs& columns = replay.jobs().columns();
    for (const auto& [job, estimated_end, end] :
         written[2].cast<std::vector<std::tuple<JobId, Time, Time>>>())
        at.running.add({estimated_end, job, columns.processors[job]}, end);
    for (const auto& [job, time] : written[3].cast<std::vector<std::pair<JobId, Time>>>())
        at.starts.add(job, time);
    const auto sums = written[4].cast<py::tuple>();
    at.totals = {sums[0].cast<std::int64_t>(), sums[1].cast<std::int64_t>(),
                 sums[2].cast<std::int64_t>(), sums[3].cast<double>(),
                 sums[4].cast<double>(),       sums[5].cast<std::int64_t>(),
                 sums[6].cast<Time>()};
    replay.resume(std::move(at));
}

void bind_decision_setup(py::module_& module) {
    py::enum_<Decides>(module, "Decides")
        .value("job", Decides::job)
        .value("front", Decides::front)
        .value("score", Decides::score)
        .value("policy", Decides::policy);
    py::enum_<ObservationRule::Kind>(module, "Observation")
        .value("none", ObservationRule::Kind::none)
        .value("flat", ObservationRule::Kind::flat)
        .value("rlscheduler", ObservationRule::Kind::rlscheduler)
        .value("grid", ObservationRule::Kind::grid);
    py::enum_<Reward>(module, "Reward")
        .value("none", Reward::none)
        .value("wait", Reward::wait)
        .value("area", Reward::area)
        .value("bounded_slowdown", Reward::bounded_slowdown)
        .value("rlscheduler", Reward::rlscheduler)
        .value("deeprm", Reward::deeprm)
        .value("utilisation", Reward::utilisation);
    py::class_<DecisionSetup>(module, "DecisionSetup")
        .def(py::init([](Decides decides, std::size_t window, bool keeps_choice, Time period,
                         ObservationRule::Kind kind, std::size_t rows, std::size_t columns,
                         Time seconds, Reward reward) {
                 return DecisionSetup{{decides, window, keeps_choice, period},
                                      {kind, rows, columns, seconds},
                                      reward};
             }),
             py::kw_only(), py::arg("decides"), py::arg("window"), py::arg("keeps_choice"),
             py::arg("period"), py::arg("observation"), py::arg("rows"), py::arg("columns"),
             py::arg("seconds"), py::arg("reward"));
}

} // namespace slotwise::bindings
