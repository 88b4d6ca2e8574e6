// The jobs in a trace, as columns. The columns are read-only once they have been loaded, and any
// number of replays may share them.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotwise {

struct LogOrder;

// Rows are sorted by submit time; rows with the same submit time stay in the order of the log.
// Unless noted otherwise, an empty column means that every row has the value -1 ("unknown"). The
// first four columns always have one value per row. Times and durations are in seconds.
struct JobTable {
    std::vector<std::int64_t> submit;
    std::vector<std::int64_t> run_time;       // >= 0
    std::vector<std::int64_t> requested_time; // >= 0
    std::vector<std::int64_t> processors;     // > 0

    std::vector<std::int64_t> job_id; // number in the log
    std::vector<std::int64_t> line;   // line in the source file, from 1; empty: 0
    std::vector<std::int64_t> wait;   // as logged
    std::vector<std::int64_t> cpu_time;
    std::vector<std::int64_t> used_memory;      // KB per processor
    std::vector<std::int64_t> requested_memory; // KB per processor
    std::vector<std::int64_t> preceding_job;
    std::vector<std::int64_t> think_time;
    std::vector<std::int64_t> allocated_processors;
    std::vector<std::int64_t> requested_processors; // empty: the same as `processors`
    std::vector<std::int32_t> status;
    std::vector<std::int32_t> user;
    std::vector<std::int32_t> group;
    std::vector<std::int32_t> executable;
    std::vector<std::int32_t> queue;
    std::vector<std::int32_t> partition;

    // Columns that are not part of SWF, but that some logs have.
    std::vector<std::int64_t> eligible; // earliest possible start, on the log's clock
    std::vector<std::int64_t> gpus;
    std::vector<std::int64_t> soft_walltime; // run time that the user expects
    std::vector<std::int64_t> node_count;    // as logged
    std::vector<std::int64_t> power;         // mean power in W
    std::vector<std::int64_t> energy;        // J
    std::vector<std::int32_t> account;
    std::vector<std::int32_t> qos;
    std::vector<std::int32_t> state;           // as logged
    std::vector<std::int32_t> node_list;       // as logged
    std::vector<std::int32_t> has_request;     // 0: no request, so requested_time is the run time
    std::vector<std::int64_t> array_id;        // number of the job array
    std::vector<std::int64_t> array_task;      // number of the task in the array
    std::vector<std::int64_t> array_limit;     // largest number of tasks that may run at once
    std::vector<std::int32_t> dependency;      // code of a list (workload/dependency_lists.hpp)
    std::vector<std::int64_t> nice;            // subtracted from Slurm's priority; empty: 0
    std::vector<std::int64_t> site_factor;     // added to Slurm's priority; empty: 0
    std::vector<std::int64_t> requested_nodes; // minimum number of nodes that the job requested
    std::vector<std::int32_t> constraint;      // code of the features that its nodes must have

    // The log, if the rows of this table are in a different order; otherwise null.
    std::shared_ptr<const LogOrder> log;

    std::size_t size() const { return submit.size(); }
};

// A log whose rows were sorted to make another table. Row i of that table is row rows[i] of the
// log.
struct LogOrder {
    std::shared_ptr<const JobTable> table;
    std::vector<JobId> rows;
};

// Calls `visit(name, member)` for every column, in the order above. This is the only list of the
// column names.
template <class Visitor> void for_each_member(Visitor&& visit) {
    visit("submit", &JobTable::submit);
    visit("run_time", &JobTable::run_time);
    visit("requested_time", &JobTable::requested_time);
    visit("processors", &JobTable::processors);
    visit("job_id", &JobTable::job_id);
    visit("line", &JobTable::line);
    visit("wait", &JobTable::wait);
    visit("cpu_time", &JobTable::cpu_time);
    visit("used_memory", &JobTable::used_memory);
    visit("requested_memory", &JobTable::requested_memory);
    visit("preceding_job", &JobTable::preceding_job);
    visit("think_time", &JobTable::think_time);
    visit("allocated_processors", &JobTable::allocated_processors);
    visit("requested_processors", &JobTable::requested_processors);
    visit("status", &JobTable::status);
    visit("user", &JobTable::user);
    visit("group", &JobTable::group);
    visit("executable", &JobTable::executable);
    visit("queue", &JobTable::queue);
    visit("partition", &JobTable::partition);
    visit("eligible", &JobTable::eligible);
    visit("gpus", &JobTable::gpus);
    visit("soft_walltime", &JobTable::soft_walltime);
    visit("node_count", &JobTable::node_count);
    visit("power", &JobTable::power);
    visit("energy", &JobTable::energy);
    visit("account", &JobTable::account);
    visit("qos", &JobTable::qos);
    visit("state", &JobTable::state);
    visit("node_list", &JobTable::node_list);
    visit("has_request", &JobTable::has_request);
    visit("array_id", &JobTable::array_id);
    visit("array_task", &JobTable::array_task);
    visit("array_limit", &JobTable::array_limit);
    visit("dependency", &JobTable::dependency);
    visit("nice", &JobTable::nice);
    visit("site_factor", &JobTable::site_factor);
    visit("requested_nodes", &JobTable::requested_nodes);
    visit("constraint", &JobTable::constraint);
}

// Calls `visit(name, column)` for every column of `table`, in the same order.
template <class Table, class Visitor> void for_each_column(Table& table, Visitor&& visit) {
    for_each_member([&](const char* name, auto member) { visit(name, table.*member); });
}

// Throws std::invalid_argument, naming the column and the row, unless these requirements are met:
// - All columns that are not empty have equal lengths.
// - The submit times are sorted and lie between 0 and kMaxTime.
// - The run times and requested times lie between 0 and kMaxDuration.
// - The numbers of processors are positive and fit in a ProcCount.
void check(const JobTable& table);

// Returns a table with the given rows (each < table.size()), sorted by submit time. Rows with the
// same submit time stay in the given order.
JobTable take(const JobTable& table, const std::vector<std::size_t>& rows);

} // namespace slotwise
