// Recipes in order of arrival, and jobs added to a recipe.
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

// Sorts a recipe, and the logged decisions of a dispatcher, from the rows of a log into order of
// arrival. If every job arrives when it is submitted, nothing changes.
void sort_by_arrival(Recipe& recipe, DispatchLog& past);

// A recipe with further jobs, in order of arrival.
struct GrownRecipe {
    Recipe recipe;             // its interventions refer to the new rows
    std::vector<JobId> row_of; // one per row of the earlier table
    std::vector<JobId> added;  // rows of the new jobs, ascending
};

// Adds `jobs` to the log of a recipe in order of arrival. Throws as check(JobTable) does.
GrownRecipe with_jobs(const Recipe& recipe, std::span<const NewJob> jobs);

// The table whose rows are those of the log.
const std::shared_ptr<const JobTable>& log_of(const std::shared_ptr<const JobTable>& table);

// The row of the log for `row` of the table.
inline JobId log_row(const JobTable& table, JobId row) {
    return table.log == nullptr ? row : table.log->rows[row];
}

// For each row of the log, the row of the table; empty if both are the same.
std::vector<JobId> rows_of_log(const JobTable& table);

} // namespace slotwise
