// Recipes in order of arrival, and the jobs that are added to a recipe.
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

// Sorts by arrival a recipe over the rows of a log, and the logged decisions of a dispatcher. A
// table in which every job arrives when it is submitted is not changed.
void sort_by_arrival(Recipe& recipe, DispatchLog& past);

// A recipe with further jobs, in order of arrival.
struct GrownRecipe {
    Recipe recipe;             // its interventions name the new rows
    std::vector<JobId> row_of; // by row of the earlier table
    std::vector<JobId> added;  // ascending rows of the new jobs
};

// Adds `jobs` to the log of a recipe in order of arrival. Throws as check(JobTable) does.
GrownRecipe with_jobs(const Recipe& recipe, std::span<const NewJob> jobs);

// The table in the rows of the log.
const std::shared_ptr<const JobTable>& log_of(const std::shared_ptr<const JobTable>& table);

// The row of the log for `row` of the table.
inline JobId log_row(const JobTable& table, JobId row) {
    return table.log == nullptr ? row : table.log->rows[row];
}

// By row of the log: the row of the table; empty where both are the same.
std::vector<JobId> rows_of_log(const JobTable& table);

} // namespace slotwise
