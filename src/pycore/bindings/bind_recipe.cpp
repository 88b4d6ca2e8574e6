// Simulations as recipes: what was done to them and when, from which a replay makes them again.
#include "python_dispatcher.hpp"
#include "stepped.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace slotwise::bindings {

namespace {

// One change: of Change, time, row, value. A job that is none is -1.
using Written = std::tuple<int, Time, std::int64_t, double>;

std::vector<Written> changes(Stepped& stepped) {
    Move move(stepped);
    move->take_in();
    std::vector<Written> rows;
    for (const Intervention& done : move->interventions())
        rows.emplace_back(static_cast<int>(done.change), done.at,
                          done.job == kNoJob ? -1 : std::int64_t{done.job}, done.value);
    return rows;
}

Intervention read(const Written& written, std::size_t n_jobs) {
    const auto& [change, at, job, value] = written;
    if (change < 0 || change > static_cast<int>(Change::policy) || job < -1 ||
        job >= static_cast<std::int64_t>(n_jobs))
        throw std::invalid_argument("a change of kind " + std::to_string(change) + " to row " +
                                    std::to_string(job) + "; the recipe is damaged");
    return {.change = static_cast<Change>(change),
            .at = at,
            .job = job < 0 ? kNoJob : static_cast<JobId>(job),
            .value = value};
}

// `starts` is what a dispatcher decided before, by row; with it, sites and policies that are marked
// as external start those jobs, and the simulation then goes on under `dispatch`.
SteppedPtr replayed(std::shared_ptr<const JobTable> jobs, const Site& site, bool site_is_external,
                    const std::vector<Written>& changes,
                    const std::vector<std::pair<Policy, bool>>& policies, Time handled,
                    const std::vector<Time>& starts, const py::object& dispatch) {
    const MakeScheduler recorded = external_scheduler(recorded_dispatcher(starts));
    const auto make = [&](bool external) {
        return external ? recorded : MakeScheduler(named_scheduler);
    };
    std::vector<Intervention> interventions;
    std::size_t n_policies = 0;
    bool external = site_is_external;
    for (const Written& written : changes) {
        Intervention done = read(written, jobs->size());
        if (done.change == Change::policy) {
            if (n_policies == policies.size())
                throw std::invalid_argument("more changes of policy than policies; the recipe is "
                                            "damaged");
            external = policies[n_policies].second;
            done.policy = std::make_shared<const Policy>(policies[n_policies++].first);
            done.make = make(external);
        }
        interventions.push_back(std::move(done));
    }
    if (starts.size() != jobs->size())
        throw std::invalid_argument("starts of another number of jobs; the recipe is damaged");
    SteppedPtr made;
    {
        // Safe: all is this call's own, and the trace is read-only.
        const py::gil_scoped_release unlocked;
        made = std::make_shared<Stepped>(std::move(jobs), site, make(site_is_external),
                                         std::move(interventions), handled);
    }
    if (external) made->simulation.ask(maker(dispatch));
    return made;
}

} // namespace

MakeScheduler maker(const py::object& dispatch) {
    if (dispatch.is_none()) return named_scheduler;
    return external_scheduler(std::make_shared<PythonDispatcher>(dispatch));
}

void bind_recipe(py::class_<Stepped, SteppedPtr>& simulation) {
    simulation.def("changes", &changes)
        .def_property_readonly("handled", [](Stepped& self) { return Use(self)->handled(); })
        .def_static("replayed", &replayed, py::arg("jobs").none(false), py::arg("site"),
                    py::arg("site_is_external"), py::arg("changes"), py::arg("policies"),
                    py::arg("handled"), py::arg("starts"), py::arg("dispatch") = py::none());
}

} // namespace slotwise::bindings
