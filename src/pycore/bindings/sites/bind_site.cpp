#include "admission/routing.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/torus/torus.hpp"
#include "record.hpp"
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
    Record<Limits> limits(module, "Limits");
    limits.field("lifted_when_idle", &Limits::lifted_when_idle)
        .field("processors", &Limits::processors)
        .field("amounts", &Limits::amounts)
        .field("holds_submitted", &Limits::holds_submitted)
        .def(py::init<>());
    for (const LimitInfo& limit : kLimits)
        limits.field(limit.name, limit.value);
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
    Record<Pool>(module, "Pool")
        .field("name", &Pool::name)
        .field("processors", &Pool::processors)
        .field("has_threshold", &Pool::has_threshold)
        .field("threshold", &Pool::threshold)
        .def(py::init<>());
    Record<DayTimes>(module, "DayTimes")
        .field("open", &DayTimes::open)
        .field("close", &DayTimes::close)
        .def(py::init([](std::int32_t open, std::int32_t close) { return DayTimes{open, close}; }),
             py::arg("open"), py::arg("close"));
    Record<Queue>(module, "Queue")
        .field("name", &Queue::name)
        .field("has_ranges", &Queue::has_ranges)
        .field("min_processors", &Queue::min_processors)
        .field("max_processors", &Queue::max_processors)
        .field("above_requested_time", &Queue::above_requested_time)
        .field("max_requested_time", &Queue::max_requested_time)
        .field("default_requested_time", &Queue::default_requested_time)
        .field("trace_queues", &Queue::trace_queues)
        .field("trace_partitions", &Queue::trace_partitions)
        .field("priority", &Queue::priority)
        .field("has_order", &Queue::has_order)
        .field("order", &Queue::order)
        .field("limits", &Queue::limits)
        .field("starvation", &Queue::starvation)
        .field("hours", &Queue::hours)
        .field("pools", &Queue::pools)
        .field("spanning", &Queue::spanning)
        .field("nodes", &Queue::nodes)
        .field("min_nodes", &Queue::min_nodes)
        .field("max_nodes", &Queue::max_nodes)
        .field("tier", &Queue::tier)
        .field("exclusive", &Queue::exclusive)
        .def(py::init<>());
}

void bind_calendar(py::module_& module) {
    py::class_<NodeChoice>(module, "NodeChoice")
        .def(py::init([](std::vector<std::int32_t> named, std::int32_t type, std::int32_t count) {
                 return NodeChoice{std::move(named), type, count};
             }),
             py::arg("named"), py::arg("node_type") = -1, py::arg("count") = 0);
    Record<Outage> outage(module, "Outage");
    py::enum_<Outage::Mode>(outage, "Mode")
        .value("drain", Outage::Mode::drain)
        .value("kill", Outage::Mode::kill)
        .value("sudden", Outage::Mode::sudden);
    outage.field("name", &Outage::name)
        .field("mode", &Outage::mode)
        .field("start", &Outage::start)
        .field("duration", &Outage::duration)
        .field("every", &Outage::every)
        .field("pool", &Outage::pool)
        .field("processors", &Outage::processors)
        .field("nodes", &Outage::nodes)
        .def(py::init<>());
    Record<JobOwners>(module, "JobOwners")
        .field("users", &JobOwners::users)
        .field("groups", &JobOwners::groups)
        .field("accounts", &JobOwners::accounts)
        .field("qos", &JobOwners::qos)
        .def(py::init<>());
    Record<NamedLimits>(module, "NamedLimits")
        .field("owners", &NamedLimits::owners)
        .field("limits", &NamedLimits::limits)
        .def(py::init<>());
    Record<UserReservation>(module, "UserReservation")
        .field("name", &UserReservation::name)
        .field("start", &UserReservation::start)
        .field("duration", &UserReservation::duration)
        .field("every", &UserReservation::every)
        .field("pool", &UserReservation::pool)
        .field("processors", &UserReservation::processors)
        .field("owners", &UserReservation::owners)
        .field("nodes", &UserReservation::nodes)
        .def(py::init<>());
    py::enum_<Requeue>(module, "Requeue")
        .value("never", Requeue::never)
        .value("from_start", Requeue::from_start)
        .value("from_checkpoint", Requeue::from_checkpoint);
    Record<Interruption>(module, "Interruption")
        .field("requeue", &Interruption::requeue)
        .field("checkpoint_every", &Interruption::checkpoint_every)
        .field("checkpoint_at", &Interruption::checkpoint_at)
        .field("checkpoint_cost", &Interruption::checkpoint_cost)
        .field("refund", &Interruption::refund)
        .def(py::init<>());
    Record<Crashes> crashes(module, "Crashes");
    py::enum_<Crashes::Law>(crashes, "Law")
        .value("none", Crashes::Law::none)
        .value("exponential", Crashes::Law::exponential)
        .value("weibull", Crashes::Law::weibull);
    crashes.field("times", &Crashes::times)
        .field("law", &Crashes::law)
        .field("mean", &Crashes::mean)
        .field("shape", &Crashes::shape)
        .field("seed", &Crashes::seed)
        .field("repair", &Crashes::repair)
        .field("per_node", &Crashes::per_node)
        .def(py::init<>());
}

// Returns two arrays with a value for each job: queue positions (-1 for none) and RejectReasons.
py::tuple route(const JobTable& table, const Site& site) {
    std::vector<std::int32_t> queues;
    std::vector<std::uint8_t> reasons;
    {
        // The GIL is not needed here: the table is read-only, and nothing else is shared with other
        // threads.
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

// Returns the windows [start, end) of an outage or reservation that overlap [first, last).
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

// Lists are copied when they are read and when they are assigned. Appending to a list that was read
// has no effect; assign the whole list instead.
void bind_site(py::module_& module) {
    bind_queues(module);
    bind_calendar(module);
    Record<Site>(module, "Site")
        .field("processors", &Site::processors)
        .field("placement", &Site::placement)
        .field("node_weights", &Site::node_weights)
        .field("plans_queues", &Site::plans_queues)
        .field("policy", &Site::policy)
        .field("pools", &Site::pools)
        .field("queues", &Site::queues)
        .field("limits", &Site::limits)
        .field("named_limits", &Site::named_limits)
        .field("outages", &Site::outages)
        .field("crashes", &Site::crashes)
        .field("interruption", &Site::interruption)
        .field("reservations", &Site::reservations)
        .field("dependencies", &Site::dependencies)
        .field("midnight", &Site::midnight)
        .field("local_epoch", &Site::local_epoch)
        .def(py::init([](ProcCount processors, const Policy& policy) {
                 Site site;
                 site.processors = processors;
                 site.policy = policy;
                 return site;
             }),
             py::arg("processors"), py::arg("policy"))
        .def_property(
            "torus", [](const Site& site) { return std::const_pointer_cast<Torus>(site.torus); },
            [](Site& site, std::shared_ptr<Torus> torus) { site.torus = std::move(torus); })
        .def_property(
            "demands",
            [](const Site& site) { return std::const_pointer_cast<JobDemands>(site.demands); },
            [](Site& site, std::shared_ptr<JobDemands> demands) {
                site.demands = std::move(demands);
            })
        .def_property(
            "dependency_lists",
            [](const Site& site) {
                return std::const_pointer_cast<DependencyLists>(site.dependency_lists);
            },
            [](Site& site, std::shared_ptr<DependencyLists> lists) {
                site.dependency_lists = std::move(lists);
            })
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
