#include "workload/grown_table.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace slotwise {

namespace {

constexpr std::int64_t kUnknownCell = -1;

bool is_0_if_unknown(std::vector<std::int64_t> JobTable::* member) {
    return member == &JobTable::line || member == &JobTable::nice ||
           member == &JobTable::site_factor;
}

// Returns the value of a new job in the `member` column. If no field of the job corresponds to this
// column, returns the value for "unknown".
std::int64_t value_of(const NewJob& job, auto member) {
    if constexpr (std::is_same_v<decltype(member), std::vector<std::int64_t> JobTable::*>) {
        if (member == &JobTable::submit) return job.submit;
        if (member == &JobTable::run_time) return job.run_time;
        if (member == &JobTable::requested_time) return job.requested_time;
        if (member == &JobTable::processors) return job.processors;
        if (member == &JobTable::requested_processors) return job.processors;
        if (member == &JobTable::job_id) return job.job_id;
        if (member == &JobTable::preceding_job) return job.preceding_job;
        if (member == &JobTable::think_time) return job.think_time;
        if (member == &JobTable::eligible) return job.eligible;
        if (member == &JobTable::array_id) return job.array_id;
        if (member == &JobTable::array_task) return job.array_task;
        if (member == &JobTable::array_limit) return job.array_limit;
        if (is_0_if_unknown(member)) return 0;
    } else {
        if (member == &JobTable::user) return job.user;
        if (member == &JobTable::group) return job.group;
        if (member == &JobTable::executable) return job.executable;
        if (member == &JobTable::queue) return job.queue;
        if (member == &JobTable::partition) return job.partition;
        if (member == &JobTable::has_request) return job.has_request;
        if (member == &JobTable::dependency) return job.dependency;
    }
    return kUnknownCell;
}

std::int64_t unknown(auto member) {
    if constexpr (std::is_same_v<decltype(member), std::vector<std::int64_t> JobTable::*>)
        if (is_0_if_unknown(member)) return 0;
    return kUnknownCell;
}

} // namespace

GrownTable grown(const JobTable& table, std::span<const NewJob> jobs) {
    std::vector<std::size_t> by_submit(jobs.size());
    std::iota(by_submit.begin(), by_submit.end(), std::size_t{0});
    std::stable_sort(by_submit.begin(), by_submit.end(),
                     [&](std::size_t a, std::size_t b) { return jobs[a].submit < jobs[b].submit; });
    GrownTable out;
    out.row_of.resize(table.size());
    out.added.resize(jobs.size());
    std::size_t row = 0, old = 0;
    for (const std::size_t job : by_submit) {
        for (; old < table.size() && table.submit[old] <= jobs[job].submit; ++old)
            out.row_of[old] = static_cast<JobId>(row++);
        out.added[job] = static_cast<JobId>(row++);
    }
    for (; old < table.size(); ++old)
        out.row_of[old] = static_cast<JobId>(row++);

    for_each_member([&](const char*, auto member) {
        const auto& from = table.*member;
        auto& to = out.table.*member;
        using Value = typename std::remove_reference_t<decltype(to)>::value_type;
        const bool any = std::any_of(jobs.begin(), jobs.end(), [&](const NewJob& job) {
            return value_of(job, member) != unknown(member);
        });
        const bool derived = std::is_same_v<Value, std::int64_t> &&
                             static_cast<const void*>(&to) == &out.table.requested_processors;
        if (from.empty() && (!any || derived) && table.size() + jobs.size() > 0 &&
            (table.size() > 0 || !any || derived))
            return;
        to.resize(row);
        for (std::size_t i = 0; i < table.size(); ++i)
            to[out.row_of[i]] = from.empty() ? static_cast<Value>(unknown(member)) : from[i];
        for (std::size_t i = 0; i < jobs.size(); ++i)
            to[out.added[i]] = static_cast<Value>(value_of(jobs[i], member));
    });
    check(out.table);
    return out;
}

} // namespace slotwise
