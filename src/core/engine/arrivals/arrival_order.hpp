// Sorts the jobs of a recipe (recipe.hpp) by arrival, and adds jobs to a recipe.
#pragma once

#include "engine/recipe.hpp"
#include "planner/dispatch_log.hpp"
#include "types.hpp"
#include "workload/grown_table.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// Sorts the jobs of a recipe, which are in the row order of a log, by arrival. Adapts the logged
// decisions of a dispatcher to the new order. Changes nothing if every job arrives when it is
// submitted.
void sort_by_arrival(Recipe& recipe, DispatchLog& past);

// A recipe to which jobs have been added, in order of arrival.
struct GrownRecipe {
    Recipe recipe;             // recipe whose interventions refer to jobs by their new rows
    std::vector<JobId> row_of; // for each row of the earlier table, the new row
    std::vector<JobId> added;  // rows of the new jobs, ascending
};

// Adds `jobs` to the log of a recipe that is in order of arrival. Throws the same exceptions as
// check(JobTable).
GrownRecipe with_jobs(const Recipe& recipe, std::span<const NewJob> jobs);

// Returns the table whose rows are in the order of the log.
const std::shared_ptr<const JobTable>& log_of(const std::shared_ptr<const JobTable>& table);

// Returns the row of the log that corresponds to `row` of the table.
inline JobId log_row(const JobTable& table, JobId row) {
    return table.log == nullptr ? row : table.log->rows[row];
}

// Returns, for each row of the log, the corresponding row of the table. The result is empty if the
// two have the same row order.
std::vector<JobId> rows_of_log(const JobTable& table);

} // namespace slotwise
