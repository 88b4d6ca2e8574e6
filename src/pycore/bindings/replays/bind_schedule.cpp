// Bindings for schedules, as read-only columns. Schedules are pickled column by column.
#include "bindings.hpp"
#include "columns.hpp"
#include "nodes/node_columns.hpp"
#include "replay/schedule.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace slotwise::bindings {

namespace {

const std::vector<std::pair<std::string, int>> kStateNames = {
    {"completed", static_cast<int>(State::completed)},
    {"killed", static_cast<int>(State::killed)},
    {"rejected", static_cast<int>(State::rejected)},
    {"cancelled", static_cast<int>(State::cancelled)},
    {"interrupted", static_cast<int>(State::interrupted)},
    {"waiting", static_cast<int>(State::waiting)},
    {"running", static_cast<int>(State::running)},
};

const std::vector<std::pair<std::string, int>> kEndReasonNames = {
    {"completed", static_cast<int>(EndReason::completed)},
    {"killed", static_cast<int>(EndReason::killed)},
    {"crash", static_cast<int>(EndReason::crash)},
    {"outage", static_cast<int>(EndReason::outage)},
    {"cancelled", static_cast<int>(EndReason::cancelled)},
};

void check_lengths(const Schedule& schedule) {
    const std::size_t jobs = schedule.start.size();
    if (schedule.end.size() != jobs || schedule.state.size() != jobs ||
        schedule.backfilled.size() != jobs)
        throw std::invalid_argument("start has " + std::to_string(jobs) +
                                    " values; end, state and backfilled must have as many");
}

Schedule schedule_from(const Column<std::int64_t>& start, const Column<std::int64_t>& end,
                       const std::optional<Column<std::uint8_t>>& state,
                       const std::optional<Column<std::uint8_t>>& backfilled) {
    Schedule schedule;
    schedule.start = copy_of(start);
    schedule.end = copy_of(end);
    if (state) {
        schedule.state = copy_of(*state);
    } else {
        for (const Time time : schedule.start)
            schedule.state.push_back(static_cast<std::uint8_t>(
                time == kNotStarted ? State::rejected : State::completed));
    }
    schedule.backfilled =
        backfilled ? copy_of(*backfilled) : std::vector<std::uint8_t>(schedule.start.size(), 0);
    check_lengths(schedule);
    return schedule;
}

// Returns the places of each job at its last start, in three arrays: the index of each job's first
// place, the nodes, and the units. Returns None if the machine has no nodes.
py::object places_of(const Schedule& schedule) {
    const JobPlaces made = schedule.whole_nodes
                               ? schedule.whole_nodes->of(schedule.start, schedule.end)
                               : JobPlaces(0);
    const JobPlaces& of_all = schedule.whole_nodes ? made : schedule.places;
    if (of_all.size() == 0) return py::none();
    std::vector<std::int64_t> first{0};
    std::vector<Place> places;
    for (std::size_t job = 0; job < of_all.size(); ++job) {
        const auto of_job = of_all.of(static_cast<JobId>(job));
        places.insert(places.end(), of_job.begin(), of_job.end());
        first.push_back(static_cast<std::int64_t>(places.size()));
    }
    const py::tuple columns = arrays_of(places);
    return py::make_tuple(own(std::move(first)), columns[0], columns[1]);
}

template <class Value, class Rows, class Get> py::array column_of(const Rows& rows, Get&& get) {
    std::vector<Value> column;
    column.reserve(rows.size());
    for (const auto& row : rows)
        column.push_back(static_cast<Value>(get(row)));
    return own(std::move(column));
}

// Returns the columns of the attempts by name. The pool is -1 if the job used several pools, or if
// the site has no pools.
py::dict columns_of(const std::vector<Attempt>& rows) {
    py::dict columns;
    columns["job"] = column_of<std::int64_t>(rows, [](const Attempt& a) { return a.job; });
    columns["number"] = column_of<std::int64_t>(rows, [](const Attempt& a) { return a.number; });
    columns["pool"] = column_of<std::int32_t>(
        rows, [](const Attempt& a) { return a.pool == kAnyPool ? -1 : a.pool; });
    columns["start"] = column_of<std::int64_t>(rows, [](const Attempt& a) { return a.start; });
    columns["end"] = column_of<std::int64_t>(rows, [](const Attempt& a) { return a.end; });
    columns["reason"] = column_of<std::uint8_t>(rows, [](const Attempt& a) { return a.reason; });
    columns["lost"] = column_of<std::int64_t>(rows, [](const Attempt& a) { return a.lost; });
    columns["refunded"] =
        column_of<std::int64_t>(rows, [](const Attempt& a) { return a.refunded; });
    return columns;
}

py::dict columns_of(const std::vector<Schedule::Span>& rows) {
    using Span = Schedule::Span;
    py::dict columns;
    columns["job"] = column_of<std::int64_t>(rows, [](const Span& s) { return s.job; });
    columns["start"] = column_of<std::int64_t>(rows, [](const Span& s) { return s.start; });
    columns["pool"] = column_of<std::int32_t>(rows, [](const Span& s) { return s.pool; });
    columns["processors"] =
        column_of<std::int64_t>(rows, [](const Span& s) { return s.processors; });
    return columns;
}

using SpanState = std::tuple<JobId, Time, PoolId, ProcCount>;
using AttemptState = std::tuple<JobId, std::uint32_t, PoolId, Time, Time, int, bool, Time,
                                std::int64_t, std::int64_t>;

// Returns the intervals of all jobs, one job after another: the number of intervals per job, and
// the beginning and end of each interval.
py::tuple columns_of(const Placements& placements) {
    std::vector<std::uint32_t> count;
    std::vector<std::int32_t> begin;
    std::vector<std::int32_t> end;
    for (JobId job = 0; job < placements.size(); ++job) {
        count.push_back(static_cast<std::uint32_t>(placements.of(job).size()));
        for (const NodeInterval& nodes : placements.of(job)) {
            begin.push_back(nodes.begin);
            end.push_back(nodes.end);
        }
    }
    return py::make_tuple(own(std::move(count)), own(std::move(begin)), own(std::move(end)));
}

Placements placements_of(const py::tuple& columns, NodeCount n_nodes) {
    const auto count = copy_of(columns[0].cast<Column<std::uint32_t>>());
    const auto begin = copy_of(columns[1].cast<Column<std::int32_t>>());
    const auto end = copy_of(columns[2].cast<Column<std::int32_t>>());
    Placements placements(count.size(), n_nodes);
    std::size_t at = 0;
    for (JobId job = 0; job < count.size(); ++job) {
        std::vector<NodeInterval> nodes;
        for (std::uint32_t i = 0; i < count[job]; ++i, ++at)
            nodes.push_back({begin.at(at), end.at(at)});
        placements.set(job, nodes);
    }
    return placements;
}

py::array_t<std::int32_t> nodes_of(const Schedule& schedule, JobId job) {
    if (job >= schedule.start.size()) throw py::index_error("no such job");
    const auto nodes = schedule.placements.of(job);
    py::array_t<std::int32_t> rows({static_cast<py::ssize_t>(nodes.size()), py::ssize_t{2}});
    auto row = rows.mutable_unchecked<2>();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        row(static_cast<py::ssize_t>(i), 0) = nodes[i].begin;
        row(static_cast<py::ssize_t>(i), 1) = nodes[i].end;
    }
    return rows;
}

py::tuple state_of(const Schedule& schedule) {
    std::vector<AttemptState> interrupted;
    for (const Attempt& a : schedule.interrupted)
        interrupted.emplace_back(a.job, a.number, a.pool, a.start, a.end,
                                 static_cast<int>(a.reason), a.requeued, a.saved, a.lost,
                                 a.refunded);
    std::vector<std::pair<Time, ProcCount>> capacity;
    for (const CapacityChange& change : schedule.capacity)
        capacity.emplace_back(change.time, change.processors);
    std::vector<SpanState> spans;
    for (const auto& [job, start, pool, processors] : schedule.spans)
        spans.emplace_back(job, start, pool, processors);
    return py::make_tuple(own(schedule.start), own(schedule.end), own(schedule.state),
                          own(schedule.backfilled), own(schedule.reject_reason),
                          own(schedule.queue), own(schedule.pool), interrupted,
                          schedule.has_calendar, capacity, columns_of(schedule.placements),
                          schedule.placements.nodes(), spans);
}

Schedule schedule_of(const py::tuple& state) {
    if (state.size() != 13)
        throw std::invalid_argument("the schedule was pickled by another version of slotwise; "
                                    "replay the trace again");
    Schedule schedule;
    schedule.start = copy_of(state[0].cast<Column<Time>>());
    schedule.end = copy_of(state[1].cast<Column<Time>>());
    schedule.state = copy_of(state[2].cast<Column<std::uint8_t>>());
    schedule.backfilled = copy_of(state[3].cast<Column<std::uint8_t>>());
    schedule.reject_reason = copy_of(state[4].cast<Column<std::uint8_t>>());
    schedule.queue = copy_of(state[5].cast<Column<std::int16_t>>());
    schedule.pool = copy_of(state[6].cast<Column<std::int16_t>>());
    for (const auto& [job, number, pool, start, end, reason, requeued, saved, lost, refunded] :
         state[7].cast<std::vector<AttemptState>>())
        schedule.interrupted.push_back({job, number, pool, start, end,
                                        static_cast<EndReason>(reason), requeued, saved, lost,
                                        refunded});
    schedule.has_calendar = state[8].cast<bool>();
    for (const auto& [time, processors] : state[9].cast<std::vector<std::pair<Time, ProcCount>>>())
        schedule.capacity.push_back({time, processors});
    schedule.placements = placements_of(state[10].cast<py::tuple>(), state[11].cast<NodeCount>());
    for (const auto& [job, start, pool, processors] : state[12].cast<std::vector<SpanState>>())
        schedule.spans.push_back({job, start, pool, processors});
    check_lengths(schedule);
    return schedule;
}

// Returns a function that gives a read-only view of one column of a schedule. The view keeps the
// schedule alive.
template <class Value> auto column(std::vector<Value> Schedule::* member) {
    return [member](const py::object& self) {
        return view(self.cast<const Schedule&>().*member, self);
    };
}

} // namespace

void bind_schedule(py::module_& module) {
    py::class_<Schedule, std::shared_ptr<Schedule>>(
        module, "Schedule", "Decisions of a replay: one row per job of the trace, read-only.")
        .def(py::init(&schedule_from), py::arg("start").noconvert(), py::arg("end").noconvert(),
             py::arg("state").noconvert() = py::none(),
             py::arg("backfilled").noconvert() = py::none(),
             "Copies the columns. If state is omitted, jobs with start -1 are rejected, and all "
             "others are completed.")
        .def_property_readonly("start", column(&Schedule::start))
        .def_property_readonly("end", column(&Schedule::end))
        .def_property_readonly("state", column(&Schedule::state))
        .def_property_readonly("backfilled", column(&Schedule::backfilled))
        .def_property_readonly("reject_reason", column(&Schedule::reject_reason))
        .def_property_readonly("queue", column(&Schedule::queue))
        .def_property_readonly("pool", column(&Schedule::pool))
        .def_readonly("has_calendar", &Schedule::has_calendar)
        .def("nodes", &nodes_of, py::arg("job"))
        .def("node_columns", [](const Schedule& self) { return columns_of(self.placements); })
        .def_property_readonly("has_nodes",
                               [](const Schedule& self) { return !self.placements.empty(); })
        .def_property_readonly("has_interruptions",
                               [](const Schedule& self) { return !self.interrupted.empty(); })
        .def("attempts", [](const Schedule& self) { return columns_of(attempts_of(self)); })
        .def_property_readonly("places", &places_of)
        .def("spans", [](const Schedule& self) { return columns_of(self.spans); })
        .def("__len__", [](const Schedule& self) { return self.start.size(); })
        .def(py::pickle(&state_of, &schedule_of));
    module.def("states", [] { return py::cast(kStateNames); }, "Name and code of each state.");
    module.def(
        "end_reasons", [] { return py::cast(kEndReasonNames); },
        "Name and code of each way an attempt ends.");
}

} // namespace slotwise::bindings
