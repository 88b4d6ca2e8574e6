#include "simulation/job_view.hpp"

#include "engine/arrivals/arrival_order.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <type_traits>

namespace slotwise::bindings {

namespace {

// Writes the values directly to the memory of a NumPy array. Creating the array from a vector would
// take twice as long.
template <class Value, class Get> py::object gather(const JobSource& source, Get&& get) {
    const std::size_t n = source.jobs.size();
    py::array_t<Value> column(static_cast<py::ssize_t>(n));
    Value* values = column.mutable_data();
    for (std::size_t i = 0; i < n; ++i)
        values[i] = static_cast<Value>(get(source.jobs[i]));
    py::detail::array_proxy(column.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return column;
}

const JobDemands& demands_of(const JobSource& source) {
    if (source.demands == nullptr)
        throw std::invalid_argument(
            "jobs request only processors on this machine; read the column 'processors' instead");
    return *source.demands;
}

// A column of the view. `name` is its name in `Demands` or in the trace; `gather` creates
// the column.
struct ColumnRule {
    const char* name;
    std::function<py::object(const JobSource&)> gather;
};

template <class Value> ColumnRule of_jobs(const char* name, auto value_of) {
    return {name, [=](const JobSource& source) {
                return gather<Value>(source, [&](JobId job) { return value_of(source, job); });
            }};
}

template <class Member> ColumnRule of_table(const char* name, Member member) {
    return {name, [=](const JobSource& source) {
                const auto& column = source.replayed->table->*member;
                using Value = typename std::remove_cvref_t<decltype(column)>::value_type;
                return gather<Value>(
                    source, [&](JobId job) { return column.empty() ? Value{-1} : column[job]; });
            }};
}

template <class OfDemand> ColumnRule of_demands(const char* name, OfDemand value_of) {
    return {name, [=](const JobSource& source) {
                const JobDemands& demands = demands_of(source);
                return gather<std::int64_t>(source, [&](JobId job) {
                    return static_cast<std::int64_t>(value_of(demands.demand(job)));
                });
            }};
}

ColumnRule submit_rule() {
    const ColumnRule as_replayed = of_table("submit", &JobTable::submit);
    const ColumnRule as_logged =
        of_jobs<std::int64_t>("submit", [](const JobSource& source, JobId job) {
            const LogOrder& log = *source.replayed->table->log;
            return log.table->submit[log.rows[job]];
        });
    return {"submit", [=](const JobSource& source) {
                const bool is_sorted_anew = source.replayed->table->log != nullptr;
                return (is_sorted_anew ? as_logged : as_replayed).gather(source);
            }};
}

ColumnRule held_rule() {
    return {"held", [](const JobSource& source) -> py::object {
                return gather<std::uint8_t>(source, source.is_held).attr("view")(py::dtype("bool"));
            }};
}

std::int32_t queue_of(const JobSource& source, JobId job) {
    const QueueId queue = source.queue_number ? source.queue_number(job) : kNoQueue;
    return queue == kNoQueue ? -1 : std::int32_t{queue};
}

std::int32_t pool_of(const JobSource& source, JobId job) {
    const bool runs = (*source.start)[job] != kNotStarted && source.pool_number;
    const PoolId pool = runs ? source.pool_number(job) : kAnyPool;
    return pool == kAnyPool ? -1 : std::int32_t{pool};
}

std::int64_t constraint_of(const UnitDemand& demand) {
    return std::max<std::int64_t>(demand.constraint, 0);
}

std::vector<ColumnRule> make_rules() {
    return {
        of_jobs<std::int64_t>("row",
                              [](const JobSource& source, JobId job) {
                                  return log_row(*source.replayed->table, job);
                              }),
        of_table("job_id", &JobTable::job_id),
        submit_rule(),
        of_table("processors", &JobTable::processors),
        of_jobs<std::int64_t>("requested_time",
                              [](const JobSource& source, JobId job) {
                                  return source.replayed->requested_time[job];
                              }),
        of_jobs<std::int64_t>(
            "start", [](const JobSource& source, JobId job) { return (*source.start)[job]; }),
        of_table("user", &JobTable::user),
        of_table("group", &JobTable::group),
        of_table("executable", &JobTable::executable),
        of_table("queue", &JobTable::queue),
        of_table("partition", &JobTable::partition),
        held_rule(),
        of_jobs<std::int32_t>("site_queue", queue_of),
        of_jobs<std::int32_t>("pool", pool_of),
        of_demands("units", [](const UnitDemand& demand) { return demand.units; }),
        of_demands("per_node", [](const UnitDemand& demand) { return demand.per_node; }),
        of_demands("nodes", [](const UnitDemand& demand) { return demand.nodes; }),
        of_demands("exclusive", [](const UnitDemand& demand) { return demand.exclusive; }),
        of_demands("constraint_id", constraint_of),
    };
}

const std::vector<ColumnRule>& rules() {
    static const std::vector<ColumnRule> all = make_rules();
    return all;
}

} // namespace

std::vector<std::string> JobView::names() {
    std::vector<std::string> known;
    for (const ColumnRule& rule : rules())
        known.emplace_back(rule.name);
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

py::object JobView::column(std::size_t at) {
    const JobSource source = source_();
    if (source.version != version_) columns_.assign(rules().size(), py::object());
    version_ = source.version;
    py::object& kept = columns_[at];
    if (!kept) kept = rules()[at].gather(source);
    return kept;
}

void bind_job_view(py::module_& module) {
    py::class_<JobView> jobs(
        module, "JobView",
        "Jobs of a replay in progress; every column is (n_jobs,) and read-only.");
    jobs.def("__len__", &JobView::size);
    for (std::size_t at = 0; at < rules().size(); ++at)
        jobs.def_property_readonly(rules()[at].name,
                                   [at](JobView& self) { return self.column(at); });
    jobs.def_property_readonly("each", &JobView::each);
}

} // namespace slotwise::bindings
