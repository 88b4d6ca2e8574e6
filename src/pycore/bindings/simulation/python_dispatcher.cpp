#include "simulation/python_dispatcher.hpp"

#include "admission/routing.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>

namespace slotwise::bindings {

// The scheduling pass, as Python code can read it while the dispatcher is being called.
struct PythonDispatcher::Shown {
    const PassView* view = nullptr;
    std::uint64_t version = 0;

    const PassView& now() const {
        if (view == nullptr)
            throw std::runtime_error(
                "queue and machine can be read only during a call to the "
                "dispatcher; during the call, keep the columns that you need later");
        return *view;
    }
};

class MachineView {
  public:
    using Shown = std::function<const PassView&()>;

    MachineView(Shown shown, py::object running)
        : shown_(std::move(shown)), running_(std::move(running)) {}

    Time now() const { return shown_().now; }
    ProcCount processors() const { return shown_().context.processors; }
    ProcCount free() const { return shown_().free; }
    py::object free_nodes() const {
        if (shown_().slots == nullptr && shown_().context.site.has_torus())
            throw std::invalid_argument("on a torus with queues, limits or a calendar, Slotwise "
                                        "chooses the nodes; read machine.free instead");
        if (shown_().slots == nullptr)
            throw std::invalid_argument(
                "the processors of this machine have no positions; read machine.free instead");
        const Slots& slots = *shown_().slots;
        py::array_t<std::int32_t> out(slots.free());
        std::int32_t* to = out.mutable_data();
        for (NodeInterval slot = slots.next(0); !slot.empty(); slot = slots.next(slot.end))
            for (std::int32_t node = slot.begin; node < slot.end; ++node)
                *to++ = node;
        return out;
    }
    py::dict free_in_pools() const {
        const PassView& view = shown_();
        py::dict free;
        for (std::size_t pool = 0; pool < view.pools.size(); ++pool)
            free[py::str(view.pools[pool].name)] = view.free_in_pools[pool];
        return free;
    }
    // Returns the number of free processors in each open reservation, by reservation name.
    py::dict free_in_reservations() const {
        const PassView& view = shown_();
        py::dict free;
        for (std::size_t i = 0; i < view.reservations.size(); ++i)
            if (view.free_in_reservations[i] != PassView::kNotOpen)
                free[py::str(view.reservations[i].name)] = view.free_in_reservations[i];
        return free;
    }
    // Returns the free amounts of each resource on every node. Nodes that are down have 0.
    py::dict free_on_nodes() const {
        const NodeState& state = nodes();
        const std::size_t n_nodes = state.layout().node_of.size();
        return by_resource(n_nodes, [&](std::size_t r, std::size_t number) {
            const std::int32_t node = state.layout().node_of[number];
            return state.is_away(node) ? 0 : state.free(node)[r];
        });
    }
    // Returns the free amounts of each resource on every type of node. Nodes that are down are not
    // counted.
    py::dict free_in_types() const {
        const NodeState& state = nodes();
        const NodeLayout& layout = state.layout();
        const std::size_t n_types = shown_().context.site.demands->nodes->classes.size();
        return by_resource(n_types, [&](std::size_t r, std::size_t type) {
            std::int64_t free = 0;
            for (std::size_t c = 0; c < layout.n_classes(); ++c)
                if (layout.type_of[c] == type)
                    free += state.free_sum(c)[r] - state.away_by_number(c) * layout.capacity(c)[r];
            return std::max<std::int64_t>(free, 0);
        });
    }
    // Returns the nodes that could take a unit of the job if they were idle. They belong to its
    // queue, satisfy its constraint and are large enough.
    py::object nodes_for(std::int64_t job_id) const;
    py::object running() const { return running_; }
    py::object ended() const { return numbers(shown_().ended); }
    py::object arrived() const { return numbers(shown_().arrived); }

  private:
    const NodeState& nodes() const {
        if (shown_().nodes == nullptr)
            throw std::invalid_argument(
                "this machine has no nodes with resources; read machine.free instead");
        return *shown_().nodes;
    }
    template <class AmountOf> py::dict by_resource(std::size_t size, AmountOf&& amount_of) const {
        const std::vector<std::string>& names = shown_().context.site.demands->nodes->resources;
        py::dict all;
        for (std::size_t r = 0; r < names.size(); ++r) {
            py::array_t<std::int64_t> amounts(static_cast<py::ssize_t>(size));
            for (std::size_t at = 0; at < size; ++at)
                amounts.mutable_at(static_cast<py::ssize_t>(at)) = amount_of(r, at);
            all[py::str(names[r])] = std::move(amounts);
        }
        return all;
    }
    py::object numbers(std::span<const JobId> jobs) const {
        const auto& ids = shown_().context.jobs.table->job_id;
        py::array_t<std::int64_t> out(static_cast<py::ssize_t>(jobs.size()));
        for (std::size_t i = 0; i < jobs.size(); ++i)
            out.mutable_at(static_cast<py::ssize_t>(i)) =
                ids.empty() ? std::int64_t{jobs[i]} : ids[jobs[i]];
        return out;
    }

    Shown shown_;
    py::object running_;
};

namespace {

// Returns the row of the waiting job with this number. If no such job is waiting, returns any row
// with this number, so that the engine can report the error. Throws DispatchError if no row has
// this number.
JobId row_of(const PassView& view, std::int64_t number) {
    const auto& ids = view.context.jobs.table->job_id;
    for (const JobId job : view.waiting)
        if (ids[job] == number) return job;
    const auto at = std::find(ids.begin(), ids.end(), number);
    if (at == ids.end())
        throw DispatchError("the dispatcher cannot start job " + std::to_string(number) +
                            ": the trace has no such job; start only jobs from the queue that the "
                            "dispatcher receives");
    return static_cast<JobId>(at - ids.begin());
}

} // namespace

py::object MachineView::nodes_for(std::int64_t job_id) const {
    const NodeState& state = nodes();
    const JobShape& shape = state.shapes().of(row_of(shown_(), job_id));
    std::vector<std::int32_t> found;
    for (const std::int32_t node : state.layout().node_of)
        if (shape.room[state.layout().class_of[static_cast<std::size_t>(node)]] > 0)
            found.push_back(state.layout().number_of[static_cast<std::size_t>(node)]);
    py::array_t<std::int32_t> out(static_cast<py::ssize_t>(found.size()), found.data());
    return out;
}

namespace {

[[noreturn]] void refuse(py::handle answer, const char* why) {
    throw DispatchError("the dispatcher returned " + std::string(py::repr(answer)) + "; " + why);
}

[[noreturn]] void refuse_twice(const PassView& view, JobId job) {
    const auto& ids = view.context.jobs.table->job_id;
    const std::int64_t number = ids.empty() ? std::int64_t{job} : ids[job];
    throw DispatchError("the dispatcher cannot start job " + std::to_string(number) +
                        ": the answer lists the job twice; list each job only once");
}

JobId job_of(const PassView& view, py::handle answer) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(answer.ptr()));
    if (!number || PyBool_Check(answer.ptr())) {
        PyErr_Clear();
        refuse(answer, "return the numbers (job_id) of the jobs to start, or None");
    }
    int overflow = 0;
    const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0)
        throw DispatchError("the dispatcher cannot start job " + std::string(py::str(number)) +
                            ": the trace has no such job; start only jobs from the queue that the "
                            "dispatcher receives");
    return row_of(view, value);
}

PoolId pool_of(const PassView& view, py::handle answer, py::handle name) {
    std::string known;
    for (std::size_t pool = 0; pool < view.pools.size(); ++pool) {
        if (py::isinstance<py::str>(name) && py::str(name).equal(py::str(view.pools[pool].name)))
            return static_cast<PoolId>(pool);
        known += (known.empty() ? "" : ", ") + view.pools[pool].name;
    }
    refuse(answer,
           ("return a job's number, or a pair of a number and one of the pools: " + known).c_str());
}

// Reads one job from a dispatcher's answer. The job is given as a number, or as a pair of a number
// and a place. The place is the name of a pool, or a list of the positions of the job's nodes.
JobId take_one(const PassView& view, py::handle answer, std::vector<std::int32_t>& nodes,
               PoolId& pool) {
    if (!py::isinstance<py::tuple>(answer) && !py::isinstance<py::list>(answer))
        return job_of(view, answer);
    if (view.slots == nullptr && view.nodes == nullptr && view.pools.empty())
        refuse(answer, "this machine has no nodes to choose; return only the job's number");
    const auto pair = py::reinterpret_borrow<py::sequence>(answer);
    if (pair.size() != 2)
        refuse(answer, "return a job's number, or a pair of a number and the job's nodes or pool");
    if (view.slots == nullptr && view.context.site.has_torus())
        refuse(answer, "on a torus with queues, limits or a calendar, Slotwise chooses the nodes; "
                       "return only the job's number");
    if (view.slots == nullptr && view.nodes == nullptr) {
        pool = pool_of(view, answer, py::object(pair[1]));
        return job_of(view, pair[0]);
    }
    try {
        for (const std::int32_t node : pair[1].cast<std::vector<std::int32_t>>())
            nodes.push_back(node);
    } catch (const py::cast_error&) {
        refuse(answer, "return the positions of a job's nodes as whole numbers");
    }
    return job_of(view, pair[0]);
}

// Detects jobs that a dispatcher returns twice. An endless iterator eventually repeats a job, so it
// is refused too.
class NamedJobs {
  public:
    // Returns false if the job is already in `chosen`, the jobs returned so far.
    bool add(JobId job, const std::vector<JobId>& chosen) {
        if (chosen.size() < kFew)
            return std::find(chosen.begin(), chosen.end(), job) == chosen.end();
        if (many_.empty()) many_.insert(chosen.begin(), chosen.end());
        return many_.insert(job).second;
    }

  private:
    static constexpr std::size_t kFew = 16; // up to this many jobs are compared one by one
    std::unordered_set<JobId> many_;
};

void take_all(const PassView& view, py::handle answer, std::vector<JobId>& chosen,
              PythonDispatcher::Answer& places) {
    if (answer.is_none()) return;
    const auto items = py::reinterpret_steal<py::object>(PyObject_GetIter(answer.ptr()));
    if (!items || py::isinstance<py::str>(answer)) {
        PyErr_Clear();
        refuse(answer, "return the numbers (job_id) of the jobs to start, or None");
    }
    NamedJobs named;
    while (PyObject* item = PyIter_Next(items.ptr())) {
        PoolId pool = kAnyPool;
        const JobId job =
            take_one(view, py::reinterpret_steal<py::object>(item), places.nodes, pool);
        if (!named.add(job, chosen)) refuse_twice(view, job);
        chosen.push_back(job);
        places.pools.push_back(pool);
        places.nodes_end.push_back(static_cast<std::uint32_t>(places.nodes.size()));
    }
    if (PyErr_Occurred()) throw py::error_already_set();
}

} // namespace

PythonDispatcher::PythonDispatcher(py::object callable)
    : shown_(std::make_shared<Shown>()), callable_(std::move(callable)) {
    const auto source = [](const std::shared_ptr<Shown>& shown, auto list) {
        return [shown, list]() -> JobSource {
            const PassView& view = shown->now();
            const Routing* routing = view.context.routing.get();
            return {
                &view.context.jobs,
                &view.context.schedule.start,
                view.*list,
                [](JobId) { return false; },
                shown->version,
                [=](JobId job) { return routing == nullptr ? kNoQueue : routing->queue_of[job]; },
                [&view](JobId job) { return view.pool_of.empty() ? kAnyPool : view.pool_of[job]; },
                view.context.site.demands.get()};
        };
    };
    queue_ = py::cast(std::make_unique<JobView>(source(shown_, &PassView::waiting)));
    py::object running = py::cast(std::make_unique<JobView>(source(shown_, &PassView::running)));
    const auto shown = [shown = shown_]() -> const PassView& { return shown->now(); };
    machine_ = py::cast(std::make_unique<MachineView>(shown, std::move(running)));
}

PythonDispatcher::~PythonDispatcher() {
    const py::gil_scoped_acquire gil;
    callable_ = queue_ = machine_ = py::object();
}

void PythonDispatcher::choose(const PassView& view, std::vector<JobId>& chosen) {
    const py::gil_scoped_acquire gil;
    struct Showing {
        Shown& shown;
        ~Showing() { shown.view = nullptr; }
    } showing{*shown_};
    shown_->view = &view;
    ++shown_->version;
    PyObject* arguments[] = {queue_.ptr(), machine_.ptr()};
    const auto answer = py::reinterpret_steal<py::object>(
        PyObject_Vectorcall(callable_.ptr(), arguments, 2, nullptr));
    if (!answer) throw py::error_already_set();
    answer_ = {};
    take_all(view, answer, chosen, answer_);
}

std::shared_ptr<Dispatcher> PythonDispatcher::clone() const {
    const py::gil_scoped_acquire gil;
    return std::make_shared<PythonDispatcher>(callable_);
}

void bind_dispatcher(py::module_& module) {
    py::class_<MachineView>(
        module, "MachineView",
        "The machine as a dispatcher sees it; `ended` and `arrived` contain job_id numbers.")
        .def_property_readonly("now", &MachineView::now)
        .def_property_readonly("processors", &MachineView::processors)
        .def_property_readonly("free", &MachineView::free)
        .def_property_readonly("free_nodes", &MachineView::free_nodes)
        .def_property_readonly("free_on_nodes", &MachineView::free_on_nodes)
        .def_property_readonly("free_in_types", &MachineView::free_in_types)
        .def("nodes_for", &MachineView::nodes_for, py::arg("job_id"))
        .def_property_readonly("free_in_pools", &MachineView::free_in_pools)
        .def_property_readonly("free_in_reservations", &MachineView::free_in_reservations)
        .def_property_readonly("running", &MachineView::running)
        .def_property_readonly("ended", &MachineView::ended)
        .def_property_readonly("arrived", &MachineView::arrived);
}

} // namespace slotwise::bindings
