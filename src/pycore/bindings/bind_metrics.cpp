// Schedules, what is measured on them, and their export as Arrow columns.
#include "arrow_stream.hpp"
#include "bindings.hpp"
#include "metrics/fair_start.hpp"
#include "metrics/metrics.hpp"
#include "metrics/replay_columns.hpp"
#include "metrics/timeline.hpp"
#include "progress.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace slotwise::bindings {

namespace {

// No forced cast: a column of another type is a TypeError, never a silent copy.
template <class Value> using Column = py::array_t<Value, py::array::c_style>;

template <class Value> std::span<const Value> span_of(const Column<Value>& column) {
    return {column.data(), static_cast<std::size_t>(column.size())};
}

template <class Value> std::vector<Value> copy_of(const Column<Value>& column) {
    const std::span<const Value> values = span_of(column);
    return {values.begin(), values.end()};
}

// A read-only array that owns `column`.
template <class Value> py::array own(std::vector<Value> column) {
    auto owned = std::make_unique<std::vector<Value>>(std::move(column));
    const std::vector<Value>& values = *owned;
    py::capsule owner(owned.get(), [](void* p) { delete static_cast<std::vector<Value>*>(p); });
    owned.release();
    return view(values, owner);
}

Schedule schedule_from(const Column<std::int64_t>& start, const Column<std::int64_t>& end,
                       const std::optional<Column<std::uint8_t>>& state,
                       const std::optional<Column<std::uint8_t>>& backfilled) {
    Schedule schedule;
    schedule.start = copy_of(start);
    schedule.end = copy_of(end);
    const std::size_t jobs = schedule.start.size();
    if (state) {
        schedule.state = copy_of(*state);
    } else {
        for (const Time time : schedule.start)
            schedule.state.push_back(static_cast<std::uint8_t>(
                time == kNotStarted ? State::rejected : State::completed));
    }
    schedule.backfilled = backfilled ? copy_of(*backfilled) : std::vector<std::uint8_t>(jobs, 0);
    if (schedule.end.size() != jobs || schedule.state.size() != jobs ||
        schedule.backfilled.size() != jobs)
        throw std::invalid_argument("start has " + std::to_string(jobs) +
                                    " values; give end, state and backfilled as many");
    return schedule;
}

const std::vector<std::pair<std::string, int>> kStateNames = {
    {"completed", static_cast<int>(State::completed)},
    {"killed", static_cast<int>(State::killed)},
    {"rejected", static_cast<int>(State::rejected)},
};

// The arguments every measure begins with.
using Submit = Column<std::int64_t>;
using Processors = Column<std::int64_t>;

ReplayColumns columns_of(const Submit& submit, const Processors& processors,
                         const Schedule& schedule, std::int64_t machine) {
    return {span_of(submit), span_of(processors), schedule.start, schedule.end,
            schedule.state,  schedule.backfilled, machine};
}

py::dict dict_of(const Metrics& metrics) {
    py::dict out;
    for (const Metric& metric : metrics)
        out[py::str(metric.name)] = metric.value;
    return out;
}

py::dict metrics(const Submit& submit, const Processors& processors, const Schedule& schedule,
                 std::int64_t machine, std::int64_t threshold, std::pair<double, double> trim,
                 std::int64_t dropped, const std::optional<Column<std::int64_t>>& fair_start) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    MetricsOptions options{threshold, {trim.first, trim.second}, dropped, {}};
    if (fair_start) options.fair_start = span_of(*fair_start);
    Metrics out;
    {
        // Safe: the caller's references keep the columns alive, and nobody writes to them.
        py::gil_scoped_release unlocked;
        out = metrics_of(columns, options);
    }
    return dict_of(out);
}

py::list metrics_by(const Submit& submit, const Processors& processors, const Schedule& schedule,
                    std::int64_t machine, const Column<std::int32_t>& group, std::int32_t groups,
                    std::int64_t threshold, std::pair<double, double> trim) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    std::vector<Metrics> rows;
    {
        // Safe: the caller's references keep the columns alive, and nobody writes to them.
        py::gil_scoped_release unlocked;
        rows = metrics_by_group(columns, {threshold, {trim.first, trim.second}, 0, {}},
                                span_of(group), groups);
    }
    py::list out;
    for (const Metrics& row : rows)
        out.append(dict_of(row));
    return out;
}

py::dict series(const Submit& submit, const Processors& processors, const Schedule& schedule,
                std::int64_t machine) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    Series out;
    {
        // Safe: the caller's references keep the columns alive, and nobody writes to them.
        py::gil_scoped_release unlocked;
        check(columns);
        out = series_of(columns);
    }
    py::dict dict;
    dict["time"] = own(std::move(out.time));
    dict["queued_jobs"] = own(std::move(out.queued_jobs));
    dict["queued_processors"] = own(std::move(out.queued_processors));
    dict["busy_processors"] = own(std::move(out.busy_processors));
    return dict;
}

py::array waits(const Submit& submit, const Processors& processors, const Schedule& schedule,
                std::int64_t machine) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    check(columns);
    return own(waits_of(columns));
}

// A column of fair starts, kNotStarted where none was asked for: of `sample` jobs, or of all.
py::array fair_start(const std::shared_ptr<const JobTable>& jobs, const Site& site,
                     const Schedule& schedule, std::optional<std::size_t> sample,
                     std::uint64_t seed, const py::object& progress) {
    const Progress report = make_progress(progress);
    std::vector<Time> column(schedule.start.size(), kNotStarted);
    {
        // Safe: table and schedule are read-only, all else belongs to this call.
        py::gil_scoped_release unlocked;
        const auto which = sample_started(schedule, sample.value_or(column.size()), seed);
        const auto fair = fair_starts(jobs, site, schedule, which, report);
        for (std::size_t i = 0; i < which.size(); ++i)
            column[which[i]] = fair[i];
    }
    return own(std::move(column));
}

// A read-only view of one of the schedule's columns, which keeps the schedule alive.
template <class Value> auto column(std::vector<Value> Schedule::* member) {
    return [member](const py::object& self) {
        return view(self.cast<const Schedule&>().*member, self);
    };
}

void bind_schedule(py::module_& module) {
    py::class_<Schedule, std::shared_ptr<Schedule>>(
        module, "Schedule", "What a replay decided: one row a job of the trace, read-only.")
        .def(
            py::init(&schedule_from), py::arg("start").noconvert(), py::arg("end").noconvert(),
            py::arg("state").noconvert() = py::none(),
            py::arg("backfilled").noconvert() = py::none(),
            "Copies the columns. Without state, a job that started is completed and one with start "
            "-1 rejected.")
        .def_property_readonly("start", column(&Schedule::start))
        .def_property_readonly("end", column(&Schedule::end))
        .def_property_readonly("state", column(&Schedule::state))
        .def_property_readonly("backfilled", column(&Schedule::backfilled))
        .def_property_readonly("reject_reason", column(&Schedule::reject_reason))
        .def_property_readonly("queue", column(&Schedule::queue))
        .def_property_readonly("pool", column(&Schedule::pool))
        .def("__len__", [](const Schedule& self) { return self.start.size(); })
        .def("__reduce__", [](const py::object& self) {
            return py::make_tuple(py::type::of(self),
                                  py::make_tuple(self.attr("start"), self.attr("end"),
                                                 self.attr("state"), self.attr("backfilled")));
        });
}

} // namespace

void bind_metrics(py::module_& module) {
    bind_schedule(module);
    module.def("states", [] { return py::cast(kStateNames); }, "Name and code of each state.");
    module.def("metrics", &metrics, py::arg("submit").noconvert(),
               py::arg("processors").noconvert(), py::arg("schedule"), py::arg("machine"),
               py::kw_only(), py::arg("threshold"), py::arg("trim"), py::arg("dropped"),
               py::arg("fair_start").noconvert() = py::none(), "All metrics of a replay.");
    module.def("metrics_by", &metrics_by, py::arg("submit").noconvert(),
               py::arg("processors").noconvert(), py::arg("schedule"), py::arg("machine"),
               py::arg("group").noconvert(), py::arg("groups"), py::kw_only(), py::arg("threshold"),
               py::arg("trim"), "Per-job metrics of each group; group -1 belongs nowhere.");
    module.def("series", &series, py::arg("submit").noconvert(), py::arg("processors").noconvert(),
               py::arg("schedule"), py::arg("machine"), "Change points of queue and machine.");
    module.def("waits", &waits, py::arg("submit").noconvert(), py::arg("processors").noconvert(),
               py::arg("schedule"), py::arg("machine"), "start - submit; -1 where never started.");
    module.def("fair_start", &fair_start, py::arg("jobs"), py::arg("site"), py::arg("schedule"),
               py::arg("sample"), py::arg("seed"), py::arg("progress") = py::none(),
               "Starts had no later job arrived; -1 where not computed.");
    bind_arrow(module);
}

} // namespace slotwise::bindings
