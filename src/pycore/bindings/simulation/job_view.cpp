#include "simulation/job_view.hpp"

#include "engine/arrivals/arrival_order.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace slotwise::bindings {

namespace {

template <class Value> py::object read_only(std::vector<Value> values) {
    auto owned = std::make_unique<std::vector<Value>>(std::move(values));
    const std::vector<Value>& column = *owned;
    const py::capsule owner(owned.get(),
                            [](void* p) { delete static_cast<std::vector<Value>*>(p); });
    owned.release();
    return view(column, owner);
}

template <class Value, class Get> py::object gather(const JobSource& source, Get&& get) {
    std::vector<Value> values(source.jobs.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<Value>(get(source.jobs[i]));
    return read_only(std::move(values));
}

using OfDemand = std::int64_t (*)(const UnitDemand&);

// Columns of a machine of nodes, as `Demands` names them.
const std::map<std::string, OfDemand> kOfDemands{
    {"units", [](const UnitDemand& demand) -> std::int64_t { return demand.units; }},
    {"per_node", [](const UnitDemand& demand) -> std::int64_t { return demand.per_node; }},
    {"nodes", [](const UnitDemand& demand) -> std::int64_t { return demand.nodes; }},
    {"exclusive",
     [](const UnitDemand& demand) { return static_cast<std::int64_t>(demand.exclusive); }},
    {"constraint_id",
     [](const UnitDemand& demand) { return std::max<std::int64_t>(demand.constraint, 0); }},
};

const JobDemands& demands_of(const JobSource& source) {
    if (source.demands == nullptr)
        throw std::invalid_argument(
            "jobs ask for processors alone on this machine; see processors");
    return *source.demands;
}

py::object gather_column(const JobSource& source, const std::string& name) {
    const JobTable& table = *source.replayed->table;
    if (name == "row")
        return gather<std::int64_t>(source, [&](JobId job) { return log_row(table, job); });
    if (name == "submit" && table.log != nullptr)
        return gather<std::int64_t>(
            source, [&](JobId job) { return table.log->table->submit[table.log->rows[job]]; });
    if (name == "start")
        return gather<std::int64_t>(source, [&](JobId job) { return (*source.start)[job]; });
    if (name == "held")
        return gather<std::uint8_t>(source, source.is_held).attr("view")(py::dtype("bool"));
    if (name == "site_queue")
        return gather<std::int32_t>(source, [&](JobId job) {
            const QueueId queue = source.queue_number ? source.queue_number(job) : kNoQueue;
            return queue == kNoQueue ? -1 : std::int32_t{queue};
        });
    if (name == "pool")
        return gather<std::int32_t>(source, [&](JobId job) {
            const bool runs = (*source.start)[job] != kNotStarted && source.pool_number;
            const PoolId pool = runs ? source.pool_number(job) : kAnyPool;
            return pool == kAnyPool ? -1 : std::int32_t{pool};
        });
    if (const auto rule = kOfDemands.find(name); rule != kOfDemands.end()) {
        const JobDemands& demands = demands_of(source);
        return gather<std::int64_t>(source,
                                    [&](JobId job) { return rule->second(demands.demand(job)); });
    }
    if (name == "requested_time")
        return gather<std::int64_t>(
            source, [&](JobId job) { return source.replayed->requested_time[job]; });
    py::object found;
    for_each_column(table, [&](const char* known, const auto& column) {
        using Value = typename std::remove_cvref_t<decltype(column)>::value_type;
        if (name != known) return;
        found = gather<Value>(source,
                              [&](JobId job) { return column.empty() ? Value{-1} : column[job]; });
    });
    return found;
}

} // namespace

const std::vector<std::string>& JobView::names() {
    static const std::vector<std::string> known{
        "row",   "job_id",     "submit", "processors", "requested_time", "start",      "user",
        "group", "executable", "queue",  "partition",  "held",           "site_queue", "pool"};
    return known;
}

py::dict JobView::each() {
    const JobSource source = source_();
    const JobDemands& demands = demands_of(source);
    py::dict each;
    for (std::size_t r = 0; r < demands.nodes->resources.size(); ++r)
        each[py::str(demands.nodes->resources[r])] =
            gather<std::int64_t>(source, [&](JobId job) { return demands.demand(job).each[r]; });
    return each;
}

py::object JobView::column(const std::string& name) {
    const JobSource source = source_();
    if (source.version != version_) columns_.clear();
    version_ = source.version;
    py::object& kept = columns_[name];
    if (!kept) kept = gather_column(source, name);
    return kept;
}

void bind_job_view(py::module_& module) {
    py::class_<JobView> jobs(
        module, "JobView",
        "Jobs of a replay in progress; every column is (n_jobs,) and read-only.");
    jobs.def("__len__", &JobView::size);
    for (const std::string& name : JobView::names())
        jobs.def_property_readonly(name.c_str(),
                                   [name](JobView& self) { return self.column(name); });
    for (const auto& [name, value] : kOfDemands)
        jobs.def_property_readonly(name.c_str(),
                                   [name = name](JobView& self) { return self.column(name); });
    jobs.def_property_readonly("each", &JobView::each);
}

} // namespace slotwise::bindings
