// Bindings for simulations, which are replays that advance step by step.
#include "bindings.hpp"
#include "columns.hpp"
#include "engine/arrivals/arrival_order.hpp"
#include "engine/arrivals/eligible_arrivals.hpp"
#include "engine/simulation.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/torus/slots.hpp"
#include "progress.hpp"
#include "simulation/job_view.hpp"
#include "simulation/stepped.hpp"

#include <map>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

std::unique_ptr<JobView> waiting(const SteppedPtr& stepped) {
    return std::make_unique<JobView>([stepped]() -> JobSource {
        const Use use(*stepped);
        const LiveReplay& at = stepped->simulation->live();
        const JobTracker& tracker = at.tracker();
        return {&at.loop().jobs(),
                &at.loop().schedule().start,
                tracker.waiting(),
                [&tracker](JobId job) { return tracker.bar(job) == Bar::held; },
                stepped->version,
                [&tracker](JobId job) { return tracker.queue_number(job); },
                {},
                at.site().demands.get()};
    });
}

std::unique_ptr<JobView> running(const SteppedPtr& stepped) {
    return std::make_unique<JobView>([stepped]() -> JobSource {
        const Use use(*stepped);
        const LiveReplay& at = stepped->simulation->live();
        const JobTracker& tracker = at.tracker();
        return {&at.loop().jobs(),
                &at.loop().schedule().start,
                tracker.running(),
                [](JobId) { return false; },
                stepped->version,
                [&tracker](JobId job) { return tracker.queue_number(job); },
                [&tracker](JobId job) { return tracker.pool_number(job); },
                at.site().demands.get()};
    });
}

// The GIL is not needed while the simulation runs: no other call uses the simulation, and the trace
// is read-only.
void run(Stepped& stepped, std::optional<Time> until, const py::object& progress) {
    Move move(stepped);
    const Progress report = make_progress(progress);
    const py::gil_scoped_release unlocked;
    until ? move->run_until(*until, report) : move->run(report);
}

bool step(Stepped& stepped) {
    Move move(stepped);
    const py::object none = py::none();
    const Progress report = make_progress(none);
    const py::gil_scoped_release unlocked;
    return move->step(report);
}

SteppedPtr copy(Stepped& stepped) {
    const Use use(stepped);
    return std::make_shared<Stepped>(stepped.simulation);
}

// Creates a job with these fields. If they do not include a job number, the job gets the next free
// one.
NewJob new_job_of(const Simulation& simulation, const std::map<std::string, std::int64_t>& fields,
                  const std::vector<Condition>& conditions) {
    NewJob job{};
    const auto take = [&](const char* name, auto& to) {
        using Value = std::remove_reference_t<decltype(to)>;
        const std::int64_t value = fields.at(name);
        to = static_cast<Value>(value);
        if (to != value)
            throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                        "; it must lie between -2^31 and 2^31 - 1");
    };
    take("submit", job.submit);
    take("run_time", job.run_time);
    take("requested_time", job.requested_time);
    take("processors", job.processors);
    take("user", job.user);
    take("group", job.group);
    take("executable", job.executable);
    take("queue", job.queue);
    take("partition", job.partition);
    take("preceding_job", job.preceding_job);
    take("think_time", job.think_time);
    take("has_request", job.has_request);
    take("eligible", job.eligible);
    take("array_id", job.array_id);
    take("array_task", job.array_task);
    take("array_limit", job.array_limit);
    take("dependency", job.dependency);
    job.conditions = conditions;
    const auto number = fields.find("job_id");
    job.job_id = number == fields.end() ? simulation.next_job_id() : number->second;
    return job;
}

std::int64_t submit(Stepped& stepped, const std::map<std::string, std::int64_t>& fields,
                    const std::vector<Condition>& conditions) {
    Move move(stepped);
    const NewJob job = new_job_of(*move, fields, conditions);
    move->submit(job);
    return job.job_id;
}

std::optional<Time> estimate_start(Stepped& stepped,
                                   const std::map<std::string, std::int64_t>& fields,
                                   const std::vector<Condition>& conditions) {
    Use use(stepped);
    const NewJob job = new_job_of(*use, fields, conditions);
    const py::gil_scoped_release unlocked;
    const Time start = use->estimate_start(job);
    return start == kNotStarted ? std::nullopt : std::optional(start);
}

using ConvertedNumbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

// The GIL is not needed in most of this function: this call keeps the arrays alive, and no other
// call uses the simulation.
std::optional<Time> start_under(Stepped& stepped, JobId job, const ConvertedNumbers& run_time,
                                const ConvertedNumbers& without) {
    Use use(stepped);
    std::vector<Time> lengths(run_time.data(), run_time.data() + run_time.size());
    std::vector<JobId> rows(without.data(), without.data() + without.size());
    const py::gil_scoped_release unlocked;
    const JobTable& table = *use->recipe().table;
    const std::vector<JobId> row_of = rows_of_log(table);
    if (!row_of.empty() && lengths.size() == row_of.size() && job < row_of.size()) {
        const std::vector<Time> logged = lengths;
        for (JobId row = 0; row < lengths.size(); ++row)
            lengths[row] = logged[log_row(table, row)];
        for (JobId& row : rows)
            row = row_of.at(row);
        job = row_of[job];
    }
    const Time start = use->start_under(job, lengths, rows);
    return start == kNotStarted ? std::nullopt : std::optional(start);
}

// Calls `act` with the row of the job that has this number. The job may have been submitted during
// the simulation.
template <class Act> void change(Stepped& stepped, std::int64_t job_id, Act&& act) {
    Move move(stepped);
    move->take_in();
    act(*move, move->find(job_id));
}

std::shared_ptr<JobTable> table(Stepped& stepped) {
    Look at(stepped);
    return std::const_pointer_cast<JobTable>(
        log_of(at->recipe().table)); // Python code cannot change the table
}

// Returns the demands of the jobs on a machine with nodes, or None on any other machine. The
// columns have one row per job: units, amounts per unit, maximum number of units per node, number
// of nodes, value of Exclusive, and constraint.
py::object demands(Stepped& stepped) {
    Look at(stepped);
    const std::shared_ptr<const JobDemands> all = at->recipe().site.demands;
    if (all == nullptr) return py::none();
    const std::size_t n = all->kind_of.size();
    const std::size_t n_resources = all->nodes->resources.size();
    std::vector<std::int64_t> units, per_node, nodes;
    std::vector<std::uint8_t> exclusive;
    std::vector<std::int32_t> constraint;
    py::array_t<std::int64_t> each(
        {static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(n_resources)});
    auto amounts = each.mutable_unchecked<2>();
    const std::vector<JobId> row_of = rows_of_log(*at->recipe().table);
    for (std::size_t job = 0; job < n; ++job) {
        const UnitDemand& demand =
            all->demand(row_of.empty() ? static_cast<JobId>(job) : row_of[job]);
        units.push_back(demand.units);
        per_node.push_back(demand.per_node);
        nodes.push_back(demand.nodes);
        exclusive.push_back(static_cast<std::uint8_t>(demand.exclusive));
        constraint.push_back(demand.constraint);
        for (std::size_t r = 0; r < n_resources; ++r)
            amounts(static_cast<py::ssize_t>(job), static_cast<py::ssize_t>(r)) = demand.each[r];
    }
    return py::make_tuple(own(std::move(units)), each, own(std::move(per_node)),
                          own(std::move(nodes)), own(std::move(exclusive)),
                          own(std::move(constraint)));
}

// Returns the beginning and the end of each slot, in ascending order, as an array of shape (n, 2).
// Returns None if the nodes of the machine have no positions.
std::optional<py::array_t<std::int32_t>> slots(Stepped& stepped) {
    const Use use(stepped);
    const Slots* slots = stepped.simulation->live().tracker().slots();
    if (slots == nullptr) return std::nullopt;
    py::array_t<std::int32_t> rows({static_cast<py::ssize_t>(slots->count()), py::ssize_t{2}});
    std::int32_t* out = rows.mutable_data();
    for (NodeInterval slot = slots->next(0); !slot.empty(); slot = slots->next(slot.end)) {
        *out++ = slot.begin;
        *out++ = slot.end;
    }
    return rows;
}

std::shared_ptr<Schedule> schedule_so_far(Stepped& stepped) {
    Look at(stepped);
    const JobTable& table = *at->recipe().table;
    Schedule schedule = at->live().schedule();
    if (table.log != nullptr) schedule = in_log_order(schedule, table.log->rows);
    return std::make_shared<Schedule>(std::move(schedule));
}

void bind_user_changes(py::class_<Stepped, SteppedPtr>& simulation) {
    simulation.def("submit", &submit, py::arg("fields"), py::arg("conditions"))
        .def("estimate_start", &estimate_start, py::arg("fields"), py::arg("conditions"))
        .def("start_under", &start_under, py::arg("job"), py::arg("run_time"), py::arg("without"))
        .def("cancel",
             [](Stepped& self, std::int64_t job_id) {
                 change(self, job_id, [](Simulation& at, JobId job) { at.cancel(job); });
             })
        .def("hold",
             [](Stepped& self, std::int64_t job_id) {
                 change(self, job_id, [](Simulation& at, JobId job) { at.hold(job); });
             })
        .def("release",
             [](Stepped& self, std::int64_t job_id) {
                 change(self, job_id, [](Simulation& at, JobId job) { at.release(job); });
             })
        .def("set_priority",
             [](Stepped& self, std::int64_t job_id, double priority) {
                 change(self, job_id,
                        [&](Simulation& at, JobId job) { at.set_priority(job, priority); });
             })
        .def(
            "set_policy",
            [](Stepped& self, const Policy& policy, const py::object& dispatch) {
                Move move(self);
                move->take_in();
                move->set_policy(policy, dispatcher_of(dispatch));
            },
            py::arg("policy"), py::arg("dispatch") = py::none());
}

} // namespace

void bind_simulation(py::module_& module) {
    py::class_<Stepped, SteppedPtr> simulation(module, "Simulation");
    bind_recipe(simulation);
    simulation
        .def(py::init([](std::shared_ptr<const JobTable> jobs, const Site& site,
                         const py::object& dispatch) {
                 Recipe recipe{.table = std::move(jobs),
                               .site = site,
                               .dispatcher = dispatcher_of(dispatch),
                               .interventions = {}};
                 DispatchLog none;
                 sort_by_arrival(recipe, none);
                 return std::make_shared<Stepped>(std::move(recipe));
             }),
             py::arg("jobs").none(false), py::arg("site"), py::arg("dispatch") = py::none())
        .def("copy", &copy)
        .def("run", &run, py::arg("until") = py::none(), py::arg("progress") = py::none())
        .def("step", &step)
        .def_property_readonly("now", [](Stepped& self) { return Use(self)->now(); })
        .def_property_readonly("next_event",
                               [](Stepped& self) -> std::optional<Time> {
                                   const Time next = Look(self)->next_event();
                                   return next == kNever ? std::nullopt : std::optional(next);
                               })
        .def_property_readonly("free", [](Stepped& self) { return Use(self)->live().free(); })
        .def_property_readonly(
            "free_in_pools",
            [](Stepped& self) { return Use(self)->live().tracker().free_in_pools(); })
        .def("slots", &slots)
        .def("queue", &waiting)
        .def("running", &running)
        .def("table", &table)
        .def("demands", &demands)
        .def("resources",
             [](Stepped& self) {
                 const Use use(self);
                 return self.simulation->recipe().site.demands->nodes->resources;
             })
        .def("schedule", &schedule_so_far);
    bind_user_changes(simulation);
}

} // namespace slotwise::bindings
