#include "simulation/job_view.hpp"

#include "engine/arrivals/arrival_order.hpp"

#include <memory>
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

py::object gather_column(const JobSource& source, const std::string& name) {
    const JobTable& table = *source.table;
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
    py::object found;
    for_each_column(*source.table, [&](const char* known, const auto& column) {
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

py::object JobView::column(const std::string& name) {
    const JobSource source = source_();
    if (source.version != version_) columns_.clear();
    version_ = source.version;
    py::object& kept = columns_[name];
    if (!kept) kept = gather_column(source, name);
    return kept;
}

void bind_job_view(py::module_& module) {
    py::class_<JobView> jobs(module, "JobView");
    jobs.def("__len__", &JobView::size);
    for (const std::string& name : JobView::names())
        jobs.def_property_readonly(name.c_str(),
                                   [name](JobView& self) { return self.column(name); });
}

} // namespace slotwise::bindings
