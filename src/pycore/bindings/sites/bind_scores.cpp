#include "bindings.hpp"
#include "order/order.hpp"
#include "replay/replay_jobs.hpp"

#include <span>
#include <stdexcept>
#include <string>

namespace slotwise::bindings {

namespace {

using Rows = py::array_t<JobId, py::array::c_style | py::array::forcecast>;
using Times = py::array_t<Time, py::array::c_style | py::array::forcecast>;
using Scores = py::array_t<double, py::array::c_style>;

// Sets out[t, i] to the score of the job in row rows[i] of the table at the time now[t].
void scores(const JobTable& table, const OrderSpec& spec, const Rows& rows, const Times& now,
            std::vector<double> queue_priority, Scores& out) {
    ReplayJobs jobs = make_replay_jobs(table, Policy{});
    jobs.queue_priority = std::move(queue_priority);
    const std::span which(rows.data(), static_cast<std::size_t>(rows.size()));
    for (const JobId row : which)
        if (row >= table.size())
            throw std::invalid_argument("row " + std::to_string(row) + " is not in a trace of " +
                                        std::to_string(table.size()) + " jobs");
    const std::unique_ptr<Order> order = make_order(spec);
    if (out.ndim() != 2 || out.shape(0) != now.size() || out.shape(1) != rows.size())
        throw std::invalid_argument("out must have one row per time and one column per job");
    double* row = out.mutable_data();
    const std::span times(now.data(), static_cast<std::size_t>(now.size()));
    // The GIL is not needed here: the table is read-only, and this call keeps the arrays alive.
    const py::gil_scoped_release unlocked;
    for (std::size_t t = 0; t < times.size(); ++t)
        order->score(jobs, which, times[t], std::span(row + t * which.size(), which.size()));
}

} // namespace

void bind_scores(py::module_& module) {
    module.def("scores", &scores, py::arg("jobs").none(false), py::arg("order"), py::arg("rows"),
               py::arg("now"), py::arg("queue_priority"), py::arg("out").noconvert());
    module.def("weighs_queue_priority",
               [](const OrderSpec& order) { return make_order(order)->weighs_queue_priority(); });
}

} // namespace slotwise::bindings
