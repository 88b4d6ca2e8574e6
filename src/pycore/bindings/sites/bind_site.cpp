#include "admission/routing.hpp"
#include "bindings.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/torus/torus.hpp"
#include "site/calendar.hpp"
#include "site/outage_shares.hpp"
#include "site/prepared_site.hpp"
#include "site/site.hpp"
#include "workload/dependency_lists.hpp"

#include <memory>
#include <utility>

namespace slotwise::bindings {

namespace {

void bind_queues(py::module_& module) {
    py::class_<Limits> limits(module, "Limits");
    limits.def(py::init<>()).def_readwrite("lifted_when_idle", &Limits::lifted_when_idle);
    for (const LimitInfo& limit : kLimits)
        limits.def_readwrite(limit.name, limit.value);
    limits.def_readwrite("processors", &Limits::processors)
        .def_readwrite("amounts", &Limits::amounts)
        .def_readwrite("holds_submitted", &Limits::holds_submitted);
    py::enum_<LimitScope>(module, "LimitScope")
        .value("all", LimitScope::all)
        .value("user", LimitScope::user)
        .value("group", LimitScope::group)
        .value("account", LimitScope::account)
        .value("qos", LimitScope::qos);
    py::class_<AmountLimit>(module, "AmountLimit")
        .def(py::init([](LimitScope scope, std::int32_t resource, std::int64_t most) {
                 return AmountLimit{scope, resource, most};
             }),
             py::arg("scope"), py::arg("resource"), py::arg("most"));
    module.attr("NODES_IN_USE") = AmountLimit::kNodes;
    py::class_<Pool>(module, "Pool")
        .def(py::init<>())
        .def_readwrite("name", &Pool::name)
        .def_readwrite("processors", &Pool::processors)
        .def_readwrite("has_threshold", &Pool::has_threshold)
        .def_readwrite("threshold", &Pool::threshold);
    py::class_<DayTimes>(module, "DayTimes")
        .def(py::init([](std::int32_t open, std::int32_t close) { return DayTimes{open, close}; }),
             py::arg("open"), py::arg("close"))
        .def_readwrite("open", &DayTimes::open)
        .def_readwrite("close", &DayTimes::close);
    py::class_<Queue>(module, "Queue")
        .def(py::init<>())
        .def_readwrite("name", &Queue::name)
        .def_readwrite("has_ranges", &Queue::has_ranges)
        .def_readwrite("min_processors", &Queue::min_processors)
        .def_readwrite("max_processors", &Queue::max_processors)
        .def_readwrite("above_requested_time", &Queue::above_requested_time)
        .def_readwrite("max_requested_time", &Queue::max_requested_time)
        .def_readwrite("default_requested_time", &Queue::default_requested_time)
        .def_readwrite("trace_queues", &Queue::trace_queues)
        .def_readwrite("trace_partitions", &Queue::trace_partitions)
        .def_readwrite("priority", &Queue::priority)
        .def_readwrite("has_order", &Queue::has_order)
        .def_readwrite("order", &Queue::order)
        .def_readwrite("limits", &Queue::limits)
        .def_readwrite("starvation", &Queue::starvation)
        .def_readwrite("hours", &Queue::hours)
        .def_readwrite("pools", &Queue::pools)
        .def_readwrite("spanning", &Queue::spanning)
        .def_readwrite("nodes", &Queue::nodes)
        .def_readwrite("min_nodes", &Queue::min_nodes)
        .def_readwrite("max_nodes", &Queue::max_nodes)
        .def_readwrite("tier", &Queue::tier)
        .def_readwrite("exclusive", &Queue::exclusive);
}

void bind_calendar(py::module_& module) {
    py::class_<NodeChoice>(module, "NodeChoice")
        .def(py::init([](std::vector<std::int32_t> named, std::int32_t type, std::int32_t count) {
                 return NodeChoice{std::move(named), type, count};
             }),
             py::arg("named"), py::arg("node_type") = -1, py::arg("count") = 0);
    py::class_<Outage> outage(module, "Outage");
    py::enum_<Outage::Mode>(outage, "Mode")
        .value("drain", Outage::Mode::drain)
        .value("kill", Outage::Mode::kill)
        .value("sudden", Outage::Mode::sudden);
    outage.def(py::init<>())
        .def_readwrite("name", &Outage::name)
        .def_readwrite("mode", &Outage::mode)
        .def_readwrite("start", &Outage::start)
        .def_readwrite("duration", &Outage::duration)
        .def_readwrite("every", &Outage::every)
        .def_readwrite("pool", &Outage::pool)
        .def_readwrite("processors", &Outage::processors)
        .def_readwrite("nodes", &Outage::nodes);
    py::class_<JobOwners>(module, "JobOwners")
        .def(py::init<>())
        .def_readwrite("users", &JobOwners::users)
        .def_readwrite("groups", &JobOwners::groups)
        .def_readwrite("accounts", &JobOwners::accounts)
        .def_readwrite("qos", &JobOwners::qos);
    py::class_<NamedLimits>(module, "NamedLimits")
        .def(py::init<>())
        .def_readwrite("owners", &NamedLimits::owners)
        .def_readwrite("limits", &NamedLimits::limits);
    py::class_<UserReservation>(module, "UserReservation")
        .def(py::init<>())
        .def_readwrite("name", &UserReservation::name)
        .def_readwrite("start", &UserReservation::start)
        .def_readwrite("duration", &UserReservation::duration)
        .def_readwrite("every", &UserReservation::every)
        .def_readwrite("pool", &UserReservation::pool)
        .def_readwrite("processors", &UserReservation::processors)
        .def_readwrite("owners", &UserReservation::owners)
        .def_readwrite("nodes", &UserReservation::nodes);
    py::enum_<Requeue>(module, "Requeue")
        .value("never", Requeue::never)
        .value("from_start", Requeue::from_start)
        .value("from_checkpoint", Requeue::from_checkpoint);
    py::class_<Interruption>(module, "Interruption")
        .def(py::init<>())
        .def_readwrite("requeue", &Interruption::requeue)
        .def_readwrite("checkpoint_every", &Interruption::checkpoint_every)
        .def_readwrite("checkpoint_at", &Interruption::checkpoint_at)
        .def_readwrite("checkpoint_cost", &Interruption::checkpoint_cost)
        .def_readwrite("refund", &Interruption::refund);
    py::class_<Crashes> crashes(module, "Crashes");
    py::enum_<Crashes::Law>(crashes, "Law")
        .value("none", Crashes::Law::none)
        .value("exponential", Crashes::Law::exponential)
        .value("weibull", Crashes::Law::weibull);
    crashes.def(py::init<>())
        .def_readwrite("times", &Crashes::times)
        .def_readwrite("law", &Crashes::law)
        .def_readwrite("mean", &Crashes::mean)
        .def_readwrite("shape", &Crashes::shape)
        .def_readwrite("seed", &Crashes::seed)
        .def_readwrite("repair", &Crashes::repair)
        .def_readwrite("per_node", &Crashes::per_node);
}

// By job: the position of its queue or -1, and the RejectReason.
py::tuple route(const JobTable& table, const Site& site) {
    std::vector<std::int32_t> queues;
    std::vector<std::uint8_t> reasons;
    {
        // Safe: the table is read-only, everything else belongs to this call.
        const py::gil_scoped_release unlocked;
        ReplayJobs jobs = make_replay_jobs(table, site.policy);
        Routing routing(completed(site), jobs);
        for (const QueueId queue : routing.queue_of)
            queues.push_back(queue == kNoQueue ? -1 : queue);
        reasons = std::move(routing.reject_reason);
    }
    return py::make_tuple(
        py::array_t<std::int32_t>(static_cast<py::ssize_t>(queues.size()), queues.data()),
        py::array_t<std::uint8_t>(static_cast<py::ssize_t>(reasons.size()), reasons.data()));
}

// The windows [start, end) of a recurrence that overlap [first, last).
template <class Part>
std::vector<std::pair<Time, Time>> windows(const Part& part, Time first, Time last) {
    const Recurrence recurrence = recurrence_of(part);
    std::vector<std::pair<Time, Time>> found;
    for (Time start = recurrence.first_ending_after(first); start < last;
         start += recurrence.every) {
        found.emplace_back(start, start + recurrence.duration);
        if (recurrence.every == 0) break;
    }
    return found;
}

} // namespace

// Lists are copied both ways: assign a whole list, because appending has no effect.
void bind_site(py::module_& module) {
    bind_queues(module);
    bind_calendar(module);
    py::class_<Site>(module, "Site")
        .def(py::init([](ProcCount processors, const Policy& policy) {
                 Site site;
                 site.processors = processors;
                 site.policy = policy;
                 return site;
             }),
             py::arg("processors"), py::arg("policy"))
        .def_readwrite("processors", &Site::processors)
        .def_property(
            "torus", [](const Site& site) { return std::const_pointer_cast<Torus>(site.torus); },
            [](Site& site, std::shared_ptr<Torus> torus) { site.torus = std::move(torus); })
        .def_readwrite("placement", &Site::placement)
        .def_property(
            "demands",
            [](const Site& site) { return std::const_pointer_cast<JobDemands>(site.demands); },
            [](Site& site, std::shared_ptr<JobDemands> demands) {
                site.demands = std::move(demands);
            })
        .def_readwrite("node_weights", &Site::node_weights)
        .def_readwrite("plans_queues", &Site::plans_queues)
        .def_readwrite("policy", &Site::policy)
        .def_readwrite("pools", &Site::pools)
        .def_readwrite("queues", &Site::queues)
        .def_readwrite("limits", &Site::limits)
        .def_readwrite("named_limits", &Site::named_limits)
        .def_readwrite("outages", &Site::outages)
        .def_readwrite("crashes", &Site::crashes)
        .def_readwrite("interruption", &Site::interruption)
        .def_readwrite("reservations", &Site::reservations)
        .def_readwrite("dependencies", &Site::dependencies)
        .def_property(
            "dependency_lists",
            [](const Site& site) {
                return std::const_pointer_cast<DependencyLists>(site.dependency_lists);
            },
            [](Site& site, std::shared_ptr<DependencyLists> lists) {
                site.dependency_lists = std::move(lists);
            })
        .def_readwrite("midnight", &Site::midnight)
        .def_property_readonly("is_plain", &Site::is_plain);
    module.def("route", &route, py::arg("jobs"), py::arg("site"));
    module.def("windows", &windows<Outage>, py::arg("part"), py::arg("first"), py::arg("last"));
    module.def("windows", &windows<UserReservation>, py::arg("part"), py::arg("first"),
               py::arg("last"));
    module.def(
        "outage_shares",
        [](const Site& site, const Outage& outage) { return shares_of(completed(site), outage); },
        py::arg("site"), py::arg("outage"),
        "The share that each pool loses in an outage with mode drain.");
    module.attr("NO_LIMIT") = kNoLimit;
    module.attr("NEVER") = kNever;
    module.attr("ANY_POOL") = kAnyPool;
}

} // namespace slotwise::bindings
