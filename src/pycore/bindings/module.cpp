// The module slotwise._core, which calls the binding functions of all parts of the core.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
    using namespace slotwise::bindings;
    module.doc() = "The compiled core of Slotwise; its public interface is the slotwise package.";
    bind_trace(module);
    bind_text(module);
    bind_places(module);
    bind_policy(module);
    bind_orders(module);
    bind_scores(module);
    bind_torus(module);
    bind_dependencies(module);
    bind_site(module);
    bind_slurm(module);
    bind_changes(module);
    bind_parts(module);
    bind_nodes(module);
    bind_knapsack(module);
    bind_simulator(module);
    bind_job_demands(module);
    bind_job_view(module);
    bind_dispatcher(module);
    bind_simulation(module);
    bind_decisions(module);
    bind_schedule(module);
    bind_metrics(module);
    bind_sweep(module);
    bind_report(module);
}
