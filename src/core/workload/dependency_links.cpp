#include "workload/dependency_links.hpp"

#include <map>
#include <unordered_map>
#include <utility>

namespace slotwise {

namespace {

using Kind = DependencyLinks::Kind;

Kind kind_of(DependencyKind kind) {
    if (kind == DependencyKind::after_any) return Kind::after_any;
    return kind == DependencyKind::after_not_ok ? Kind::after_not_ok : Kind::after_ok;
}

// Finds rows by the number of a job or an array, among the rows that have been added.
class SeenRows {
  public:
    explicit SeenRows(const JobTable& table) : table_(&table) {}

    void add(JobId row) {
        const std::int64_t number =
            table_->job_id.empty() ? std::int64_t{row} + 1 : table_->job_id[row];
        by_number_[number] = row;
        if (table_->array_id.empty() || table_->array_id[row] < 0) return;
        const std::int64_t task = table_->array_task.empty() ? -1 : table_->array_task[row];
        tasks_of_[table_->array_id[row]][task] = row;
    }

    JobId with_number(std::int64_t number) const {
        const auto found = by_number_.find(number);
        return found == by_number_.end() ? kNoJob : found->second;
    }

    // Calls `visit(row)` with the row of each job that a condition refers to. `task` is the task
    // number of the job that has this condition.
    template <class Visitor>
    void visit(const Condition& condition, std::int64_t task, Visitor&& visit) const {
        const auto array = tasks_of_.find(condition.job);
        const bool corresponds = condition.kind == DependencyKind::after_corr && task >= 0;
        const std::int64_t wanted = corresponds ? task : condition.task;
        if (array == tasks_of_.end()) {
            const JobId row = condition.task < 0 ? with_number(condition.job) : kNoJob;
            if (row != kNoJob) visit(row);
        } else if (wanted >= 0) {
            const auto found = array->second.find(wanted);
            if (found != array->second.end()) visit(found->second);
        } else {
            for (const auto& [number, row] : array->second)
                visit(row);
        }
    }

  private:
    const JobTable* table_;
    std::unordered_map<std::int64_t, JobId> by_number_;
    std::unordered_map<std::int64_t, std::map<std::int64_t, JobId>> tasks_of_; // indexed by array
};

bool is_singleton(const JobTable& table, const DependencyLists& lists, JobId row) {
    for (const Condition& condition : lists.of(table.dependency[row]))
        if (condition.kind == DependencyKind::singleton) return true;
    return false;
}

void find_groups(const JobTable& table, const DependencyLists& lists, DependencyLinks& found) {
    if (table.user.empty() || table.executable.empty()) return;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number_of;
    const auto has_name = [&](JobId row) {
        return table.user[row] >= 0 && table.executable[row] >= 0;
    };
    const auto n = static_cast<JobId>(table.size());
    std::vector<std::uint8_t> singleton(n, 0);
    for (JobId row = 0; row < n; ++row) {
        if (!has_name(row) || !is_singleton(table, lists, row)) continue;
        singleton[row] = 1;
        number_of.try_emplace({table.user[row], table.executable[row]},
                              static_cast<std::int32_t>(number_of.size()));
    }
    if (number_of.empty()) return;
    found.groups.resize(number_of.size());
    found.group_of.assign(n, -1);
    found.is_singleton = std::move(singleton);
    for (JobId row = 0; row < n; ++row) {
        const auto group = number_of.find({table.user[row], table.executable[row]});
        if (!has_name(row) || group == number_of.end()) continue;
        found.group_of[row] = group->second;
        found.groups[static_cast<std::size_t>(group->second)].push_back(row);
    }
}

// Returns the links between the rows of a log.
DependencyLinks resolved(const JobTable& table, const DependencyLists* lists) {
    DependencyLinks found;
    const bool has_lists = lists != nullptr && !table.dependency.empty();
    if (table.preceding_job.empty() && !has_lists) return found;
    SeenRows seen(table);
    found.first.assign(1, 0);
    const auto n = static_cast<JobId>(table.size());
    for (JobId row = 0; row < n; ++row) {
        if (!table.preceding_job.empty() && table.preceding_job[row] >= 0) {
            const JobId before = seen.with_number(table.preceding_job[row]);
            if (before != kNoJob) found.links.push_back({before, Kind::preceding});
        }
        const std::int64_t task = table.array_task.empty() ? -1 : table.array_task[row];
        if (has_lists)
            for (const Condition& condition : lists->of(table.dependency[row]))
                if (condition.kind != DependencyKind::singleton)
                    seen.visit(condition, task, [&](JobId before) {
                        found.links.push_back({before, kind_of(condition.kind)});
                    });
        found.first.push_back(static_cast<std::uint32_t>(found.links.size()));
        seen.add(row);
    }
    if (found.links.empty()) found.first.clear();
    if (has_lists) find_groups(table, *lists, found);
    return found;
}

// Returns the same links for a table in which row i is row rows[i] of the log.
DependencyLinks in_rows(const DependencyLinks& of_log, const std::vector<JobId>& rows) {
    std::vector<JobId> row_of(rows.size());
    for (JobId row = 0; row < rows.size(); ++row)
        row_of[rows[row]] = row;
    DependencyLinks moved;
    if (!of_log.first.empty()) moved.first.assign(1, 0);
    for (const JobId logged : rows) {
        if (of_log.first.empty()) break;
        for (const DependencyLinks::Link& link : of_log.of(logged))
            moved.links.push_back({row_of[link.before], link.kind});
        moved.first.push_back(static_cast<std::uint32_t>(moved.links.size()));
    }
    moved.groups = of_log.groups;
    for (std::vector<JobId>& group : moved.groups)
        for (JobId& row : group)
            row = row_of[row];
    if (moved.groups.empty()) return moved;
    for (const JobId logged : rows) {
        moved.group_of.push_back(of_log.group_of[logged]);
        moved.is_singleton.push_back(of_log.is_singleton[logged]);
    }
    return moved;
}

} // namespace

DependencyLinks dependency_links(const JobTable& table, const DependencyLists* lists) {
    if (table.log == nullptr) return resolved(table, lists);
    return in_rows(resolved(*table.log->table, lists), table.log->rows);
}

} // namespace slotwise
