#include "admission/dependencies.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace slotwise {

Dependencies::Dependencies(const ReplayJobs& jobs, const std::vector<std::uint8_t>& is_rejected) {
    const JobTable& table = *jobs.table;
    if (table.preceding_job.empty()) return;
    Links links;
    links.first.assign(jobs.size(), kNoJob);
    links.next.assign(jobs.size(), kNoJob);
    links.think_time.assign(jobs.size(), 0);
    open_at_.assign(jobs.size(), std::numeric_limits<Time>::min());
    std::unordered_map<std::int64_t, JobId> by_id;
    for (JobId job = 0; job < jobs.size(); ++job) {
        const auto found = by_id.find(table.preceding_job[job]);
        by_id[table.job_id.empty() ? job + 1 : table.job_id[job]] = job;
        if (table.preceding_job[job] < 0 || found == by_id.end() || is_rejected[found->second] != 0)
            continue;
        if (!table.think_time.empty())
            links.think_time[job] = std::max<Time>(table.think_time[job], 0);
        links.next[job] = links.first[found->second];
        links.first[found->second] = job;
        open_at_[job] = kNever;
    }
    links_ = std::make_shared<const Links>(std::move(links));
}

} // namespace slotwise
