#include "engine/arrivals/arrival_order.hpp"

#include "engine/arrivals/eligible_arrivals.hpp"
#include "machine/nodes/job_demands.hpp"
#include "workload/dependency_lists.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace slotwise {

namespace {

void rename(std::vector<Intervention>& done, std::span<const JobId> row_of) {
    for (Intervention& intervention : done)
        if (intervention.job != kNoJob) intervention.job = row_of[intervention.job];
}

// Returns the demand of a job added to the log. If all jobs in the log take whole nodes of the same
// kind, the added job does too. Otherwise, it takes one core per processor.
UnitDemand demand_of(const JobDemands& demands, std::int64_t processors) {
    UnitDemand demand;
    const auto is_alike = [&](const UnitDemand& kind) {
        return kind.exclusive == Exclusive::job && kind.each == demands.kinds[0].each;
    };
    if (!demands.kinds.empty() &&
        std::all_of(demands.kinds.begin(), demands.kinds.end(), is_alike)) {
        demand = demands.kinds[0];
        demand.nodes = 0;
        const std::int64_t cores = demand.each[0];
        demand.units = static_cast<std::int32_t>((processors + cores - 1) / cores);
    } else {
        demand.units = static_cast<std::int32_t>(processors);
        demand.each.set(0, 1);
    }
    return demand;
}

// Returns the demands of all jobs in the table, including those that were added to it.
std::shared_ptr<const JobDemands> demands_with(const JobDemands& demands, const JobTable& table,
                                               std::span<const JobId> row_of) {
    std::vector<UnitDemand> of_job(table.size());
    std::vector<bool> is_old(table.size());
    for (std::size_t job = 0; job < row_of.size(); ++job) {
        of_job[row_of[job]] = demands.demand(static_cast<JobId>(job));
        is_old[row_of[job]] = true;
    }
    for (std::size_t row = 0; row < table.size(); ++row)
        if (!is_old[row]) of_job[row] = demand_of(demands, table.processors[row]);
    return std::make_shared<const JobDemands>(
        make_node_jobs(demands.nodes, demands.rule, of_job, demands.constraints));
}

// Adds the new jobs' lists of dependency conditions to the site.
void add_lists(Site& site, std::span<const NewJob> jobs) {
    DependencyLists lists =
        site.dependency_lists == nullptr ? DependencyLists{} : *site.dependency_lists;
    bool any = false;
    for (const NewJob& job : jobs) {
        if (job.conditions.empty() || !lists.is_next(job.dependency)) continue;
        lists.add(job.dependency, job.conditions);
        any = true;
    }
    if (any) site.dependency_lists = std::make_shared<const DependencyLists>(std::move(lists));
}

std::vector<JobId> same_rows(std::size_t n) {
    std::vector<JobId> rows(n);
    std::iota(rows.begin(), rows.end(), JobId{0});
    return rows;
}

} // namespace

const std::shared_ptr<const JobTable>& log_of(const std::shared_ptr<const JobTable>& table) {
    return table->log == nullptr ? table : table->log->table;
}

std::vector<JobId> rows_of_log(const JobTable& table) {
    return table.log == nullptr ? std::vector<JobId>{} : inverse(table.log->rows);
}

void sort_by_arrival(Recipe& recipe, DispatchLog& past) {
    const EligibleArrivals arrivals(recipe.table, recipe.site);
    if (!arrivals.any()) return;
    const std::vector<JobId> row_of = inverse(arrivals.rows());
    recipe.site = arrivals.site_of_rows(recipe.site);
    recipe.table = arrivals.table();
    rename(recipe.interventions, row_of);
    past.rename(row_of);
}

GrownRecipe with_jobs(const Recipe& recipe, std::span<const NewJob> jobs) {
    GrownRecipe out{.recipe = recipe, .row_of = {}, .added = {}};
    Site& site = out.recipe.site;
    add_lists(site, jobs);
    GrownTable with = grown(*log_of(recipe.table), jobs);
    const auto log = std::make_shared<const JobTable>(std::move(with.table));
    const EligibleArrivals arrivals(log, site);
    out.recipe.table = arrivals.any() ? arrivals.table() : log;
    const std::vector<JobId> row_of =
        arrivals.any() ? inverse(arrivals.rows()) : same_rows(log->size());
    for (JobId row = 0; row < recipe.table->size(); ++row)
        out.row_of.push_back(row_of[with.row_of[log_row(*recipe.table, row)]]);
    for (const JobId row : with.added)
        out.added.push_back(row_of[row]);
    std::sort(out.added.begin(), out.added.end());
    rename(out.recipe.interventions, out.row_of);
    if (site.has_nodes()) site.demands = demands_with(*site.demands, *out.recipe.table, out.row_of);
    return out;
}

} // namespace slotwise
