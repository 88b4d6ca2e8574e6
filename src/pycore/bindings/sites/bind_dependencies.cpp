// Bindings for job dependencies: the lists of conditions, and the jobs that they refer to.
#include "bindings.hpp"
#include "site/site.hpp"
#include "workload/dependency_links.hpp"
#include "workload/dependency_lists.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

// Returns the jobs for which `row` waits, each as a pair (row, kind); DependencyLinks defines the
// kinds.
std::vector<std::pair<JobId, int>> depends_on(const JobTable& table, const Site& site, JobId row) {
    std::vector<std::pair<JobId, int>> found;
    const DependencyLinks links = dependency_links(table, site.dependency_lists.get());
    if (row >= table.size()) throw py::index_error("the row is not in the table");
    for (const DependencyLinks::Link& link : links.of(row))
        found.emplace_back(link.before, static_cast<int>(link.kind));
    if (links.groups.empty() || links.group_of[row] < 0 || links.is_singleton[row] == 0)
        return found;
    // A group is in the order of the log, which may differ from the order of the rows.
    for (const JobId other : links.groups[static_cast<std::size_t>(links.group_of[row])]) {
        if (other == row) break;
        found.emplace_back(other, static_cast<int>(DependencyLinks::Kind::after_any));
    }
    return found;
}

} // namespace

void bind_dependencies(py::module_& module) {
    py::enum_<DependencyKind>(module, "DependencyKind")
        .value("afterok", DependencyKind::after_ok)
        .value("afterany", DependencyKind::after_any)
        .value("afternotok", DependencyKind::after_not_ok)
        .value("aftercorr", DependencyKind::after_corr)
        .value("singleton", DependencyKind::singleton);
    py::class_<Condition>(module, "Condition")
        .def(py::init([](DependencyKind kind, std::int64_t job, std::int64_t task) {
                 return Condition{kind, job, task};
             }),
             py::arg("kind"), py::arg("job") = -1, py::arg("task") = -1);
    py::class_<DependencyLists, std::shared_ptr<DependencyLists>>(module, "DependencyLists")
        .def(py::init<>())
        .def("add", [](DependencyLists& lists, std::int32_t code,
                       const std::vector<Condition>& conditions) { lists.add(code, conditions); });
    module.def("depends_on", &depends_on, py::arg("jobs"), py::arg("site"), py::arg("row"));
}

} // namespace slotwise::bindings
