#include "bindings.hpp"
#include "text_feed.hpp"
#include "workload/job_table.hpp"
#include "workload/swf_reader.hpp"
#include "workload/swf_writer.hpp"
#include "workload/trace_report.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

namespace slotwise::bindings {

namespace {

// Returns the columns of a table by name, as NumPy arrays. Columns without a known value are left
// out.
py::dict trace_columns(const std::shared_ptr<JobTable>& table) {
    const py::object owner = py::cast(table);
    py::dict columns;
    for_each_column(*table, [&](const char* name, const auto& column) {
        if (!column.empty() || table->size() == 0) columns[name] = view(column, owner);
    });
    return columns;
}

// Returns the column with this name, or None if it has no known value.
py::object trace_column(const std::shared_ptr<JobTable>& table, const std::string& wanted) {
    py::object found = py::none();
    for_each_column(*table, [&](const char* name, const auto& column) {
        if (wanted == name && !column.empty()) found = view(column, py::cast(table));
    });
    return found;
}

std::shared_ptr<JobTable> table_from(const py::dict& columns) {
    auto table = std::make_shared<JobTable>();
    for_each_column(*table, [&](const char* name, auto& column) {
        if (!columns.contains(name)) return;
        using Value = typename std::remove_reference_t<decltype(column)>::value_type;
        const auto array =
            py::array_t<Value, py::array::c_style | py::array::forcecast>(columns[name]);
        column.assign(array.data(), array.data() + array.size());
    });
    check(*table);
    return table;
}

std::shared_ptr<JobTable> take_rows(const JobTable& table, const py::array_t<std::int64_t>& rows) {
    std::vector<std::size_t> wanted(static_cast<std::size_t>(rows.size()));
    const auto access = rows.unchecked<1>();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::int64_t row = access(static_cast<py::ssize_t>(i));
        if (row < 0 || static_cast<std::size_t>(row) >= table.size())
            throw py::index_error("row " + std::to_string(row) + " is not in a table of " +
                                  std::to_string(table.size()) + " jobs");
        wanted[i] = static_cast<std::size_t>(row);
    }
    // The GIL is not needed here: a table never changes after it has been constructed.
    const py::gil_scoped_release release;
    return std::make_shared<JobTable>(take(table, wanted));
}

// Returns one tuple per kind of fault found in a log: its name, its count, the first lines with the
// fault, and the text of the first of these lines.
py::list faults_of(const TraceReport& report) {
    py::list faults;
    for (std::size_t i = 0; i < kFaultCount; ++i) {
        const auto fault = static_cast<Fault>(i);
        const TraceReport::Entry& entry = report[fault];
        if (entry.count > 0)
            faults.append(py::make_tuple(fault_info(fault).name, entry.count, entry.lines,
                                         py::bytes(entry.example)));
    }
    return faults;
}

py::list fault_infos() {
    py::list infos;
    for (std::size_t i = 0; i < kFaultCount; ++i) {
        const FaultInfo& info = fault_info(static_cast<Fault>(i));
        infos.append(py::make_tuple(info.name, info.kind, info.rule));
    }
    return infos;
}

py::tuple finish(SwfReader& reader) {
    SwfContents contents;
    {
        // The GIL is not needed here: only this call uses the reader, and the text has been copied.
        const py::gil_scoped_release release;
        contents = reader.finish();
    }
    py::list header;
    for (const HeaderLine& line : contents.header)
        header.append(py::make_tuple(py::bytes(line.text), line.line));
    return py::make_tuple(std::make_shared<JobTable>(std::move(contents.jobs)), header,
                          faults_of(contents.report));
}

using Column64 = py::array_t<std::int64_t, py::array::c_style>;
using Column32 = py::array_t<std::int32_t, py::array::c_style>;

template <class Array>
auto column_span(const JobTable& jobs, const char* name, const Array& array) {
    if (array.ndim() == 1 && static_cast<std::size_t>(array.size()) == jobs.size())
        return std::span(array.data(), jobs.size());
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(array.size()) +
                                " values, but the trace has " + std::to_string(jobs.size()) +
                                " jobs; pass one value per job");
}

py::bytes format_jobs(const JobTable& jobs, std::size_t first, std::size_t last,
                      const std::optional<std::tuple<Column64, Column64, Column32>>& schedule) {
    last = std::min(last, jobs.size());
    SwfSchedule columns;
    if (schedule) {
        columns.wait = column_span(jobs, "wait", std::get<0>(*schedule));
        columns.run_time = column_span(jobs, "run_time", std::get<1>(*schedule));
        columns.status = column_span(jobs, "status", std::get<2>(*schedule));
    }
    std::string text;
    {
        // The GIL is not needed here: a table never changes after it has been constructed, and
        // `schedule` keeps its arrays alive.
        const py::gil_scoped_release release;
        text = format_swf(jobs, first, last, schedule ? &columns : nullptr);
    }
    return py::bytes(text);
}

void translate_trace_error(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const TraceError& error) {
        const py::object type = py::module_::import("slotwise.errors").attr("TraceError");
        const py::object line = error.line() > 0 ? py::cast(error.line()) : py::none();
        const py::object raised = type(error.what(), py::arg("line") = line);
        PyErr_SetObject(type.ptr(), raised.ptr());
    }
}

} // namespace

void bind_trace(py::module_& module) {
    py::register_exception_translator(&translate_trace_error);

    py::class_<JobTable, std::shared_ptr<JobTable>>(module, "JobTable")
        .def(py::init(&table_from), py::arg("columns"))
        .def("__len__", &JobTable::size)
        .def("column", &trace_column, py::arg("name"))
        .def("columns", &trace_columns)
        .def("take", &take_rows, py::arg("rows"))
        .def(py::pickle([](const std::shared_ptr<JobTable>& table) { return trace_columns(table); },
                        &table_from));

    py::class_<SwfReader>(module, "SwfReader")
        .def(py::init<std::size_t>(), py::arg("expected_bytes"))
        .def("feed", &feed<SwfReader>, py::arg("text"))
        .def("finish", &finish);

    module.def("fault_infos", &fault_infos);
    module.def("format_swf", &format_jobs, py::arg("jobs"), py::arg("first"), py::arg("last"),
               py::arg("schedule") = py::none());
}

} // namespace slotwise::bindings
