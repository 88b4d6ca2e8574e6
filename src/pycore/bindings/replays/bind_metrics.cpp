// Bindings for the metrics of schedules, and for their export as Arrow columns.
#include "arrow/arrow_stream.hpp"
#include "bindings.hpp"
#include "columns.hpp"
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

using Submit = Column<std::int64_t>;
using Processors = Column<std::int64_t>;

ReplayColumns columns_of(const Submit& submit, const Processors& processors,
                         const Schedule& schedule, std::int64_t machine) {
    return slotwise::columns_of(span_of(submit), span_of(processors), schedule, machine);
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
        // The GIL is not needed here: the caller keeps the columns alive, and no thread writes to
        // them.
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
        // The GIL is not needed here: the caller keeps the columns alive, and no thread writes to
        // them.
        py::gil_scoped_release unlocked;
        rows = metrics_by_group(columns, {threshold, {trim.first, trim.second}, 0, {}},
                                span_of(group), groups);
    }
    py::list out;
    for (const Metrics& row : rows)
        out.append(dict_of(row));
    return out;
}

std::pair<Time, Time> measured_span(const Submit& submit, const Processors& processors,
                                    const Schedule& schedule, std::int64_t machine,
                                    std::pair<double, double> trim) {
    const MeasuredSpan span = slotwise::measured_span(
        columns_of(submit, processors, schedule, machine), {trim.first, trim.second});
    return {span.begin, span.end};
}

py::dict series(const Submit& submit, const Processors& processors, const Schedule& schedule,
                std::int64_t machine) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    Series out;
    {
        // The GIL is not needed here: the caller keeps the columns alive, and no thread writes to
        // them.
        py::gil_scoped_release unlocked;
        check(columns);
        out = series_of(columns);
    }
    py::dict dict;
    dict["time"] = own(std::move(out.time));
    dict["queued_jobs"] = own(std::move(out.queued_jobs));
    dict["queued_processors"] = own(std::move(out.queued_processors));
    dict["busy_processors"] = own(std::move(out.busy_processors));
    if (schedule.has_calendar)
        dict["available_processors"] = own(std::move(out.available_processors));
    return dict;
}

py::array waits(const Submit& submit, const Processors& processors, const Schedule& schedule,
                std::int64_t machine) {
    const ReplayColumns columns = columns_of(submit, processors, schedule, machine);
    check(columns);
    return own(waits_of(columns));
}

// Returns a column of fair starts, for all jobs or for a sample of the jobs. All other jobs have
// the value kNotStarted.
py::array fair_start(const std::shared_ptr<const JobTable>& jobs, const Site& site,
                     const Schedule& schedule, std::optional<std::size_t> sample,
                     std::uint64_t seed, const py::object& progress) {
    const Progress report = make_progress(progress);
    std::vector<Time> column(schedule.start.size(), kNotStarted);
    {
        // The GIL is not needed here: the table and the schedule are read-only, and nothing else is
        // shared with other threads.
        py::gil_scoped_release unlocked;
        const auto which = sample_started(schedule, sample.value_or(column.size()), seed);
        const auto fair = fair_starts(jobs, site, schedule, which, report);
        for (std::size_t i = 0; i < which.size(); ++i)
            column[which[i]] = fair[i];
    }
    return own(std::move(column));
}

} // namespace

void bind_metrics(py::module_& module) {
    module.def("metrics", &metrics, py::arg("submit").noconvert(),
               py::arg("processors").noconvert(), py::arg("schedule"), py::arg("machine"),
               py::kw_only(), py::arg("threshold"), py::arg("trim"), py::arg("dropped"),
               py::arg("fair_start").noconvert() = py::none(), "All metrics of a replay.");
    module.def("metrics_by", &metrics_by, py::arg("submit").noconvert(),
               py::arg("processors").noconvert(), py::arg("schedule"), py::arg("machine"),
               py::arg("group").noconvert(), py::arg("groups"), py::kw_only(), py::arg("threshold"),
               py::arg("trim"), "Per-job metrics of each group; -1 means no group.");
    module.def("measured_span", &measured_span, py::arg("submit").noconvert(),
               py::arg("processors").noconvert(), py::arg("schedule"), py::arg("machine"),
               py::arg("trim"), "First and last submit times of the jobs that metrics cover.");
    module.def("series", &series, py::arg("submit").noconvert(), py::arg("processors").noconvert(),
               py::arg("schedule"), py::arg("machine"), "Change points of queue and machine.");
    module.def("waits", &waits, py::arg("submit").noconvert(), py::arg("processors").noconvert(),
               py::arg("schedule"), py::arg("machine"), "start - submit; -1 if never started.");
    module.def("fair_start", &fair_start, py::arg("jobs"), py::arg("site"), py::arg("schedule"),
               py::arg("sample"), py::arg("seed"), py::arg("progress") = py::none(),
               "Start times as if no later job had arrived; -1 if not computed.");
    bind_arrow(module);
}

} // namespace slotwise::bindings
