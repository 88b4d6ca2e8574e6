#include "bindings.hpp"
#include "order/order.hpp"
#include "progress.hpp"
#include "replay/replay_error.hpp"
#include "sweep/sweep.hpp"
#include "workload/trace_report.hpp"

#include <exception>

namespace slotwise::bindings {

namespace {

// Returns one row per site: its metrics by name, the wall time of its replay in seconds, and its
// schedule or None.
py::list rows_of(const std::vector<SweepRow>& rows) {
    py::list out;
    for (const SweepRow& row : rows) {
        py::dict metrics;
        for (const Metric& metric : row.metrics)
            metrics[py::str(metric.name)] = metric.value;
        out.append(py::make_tuple(metrics, row.seconds, row.schedule));
    }
    return out;
}

// Raises the error of the site that failed, together with the number of that site.
[[noreturn]] void raise(const SweepFault& failed) {
    const std::string where = "site " + std::to_string(failed.site + 1) + " of the sweep: ";
    try {
        std::rethrow_exception(failed.fault);
    } catch (py::error_already_set& fault) {
        fault.value().attr("add_note")("raised under " + where);
        throw;
    } catch (const TraceError& fault) {
        throw TraceError(where + fault.what(), fault.line());
    } catch (const ReplayError& fault) {
        throw ReplayError(where + fault.what());
    } catch (const OrderError& fault) {
        throw OrderError(where + fault.what());
    } catch (const std::exception& fault) {
        throw py::value_error(where + fault.what());
    }
}

py::list sweep_sites(const std::shared_ptr<const JobTable>& jobs, const std::vector<Site>& sites,
                     unsigned workers, std::int64_t threshold, std::pair<double, double> trim,
                     std::int64_t dropped, bool keep_schedules, bool computes_metrics,
                     const py::object& progress) {
    const Progress report = make_progress(progress);
    const SweepOptions options{{threshold, {trim.first, trim.second}, dropped, {}},
                               workers,
                               keep_schedules,
                               computes_metrics};
    std::vector<SweepRow> rows;
    try {
        // The GIL is not needed here: the table and the sites are read-only, and the caller keeps
        // them alive. An order or a dispatcher written in Python acquires the GIL itself.
        const py::gil_scoped_release unlocked;
        rows = sweep(jobs, sites, options, report);
    } catch (const SweepFault& failed) {
        raise(failed);
    }
    return rows_of(rows);
}

} // namespace

void bind_sweep(py::module_& module) {
    module.def("sweep", &sweep_sites, py::arg("jobs").none(false), py::arg("sites"),
               py::arg("workers"), py::kw_only(), py::arg("threshold"), py::arg("trim"),
               py::arg("dropped"), py::arg("keep_schedules"), py::arg("computes_metrics") = true,
               py::arg("progress") = py::none());
}

} // namespace slotwise::bindings
