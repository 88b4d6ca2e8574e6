#include "replay/replay_jobs.hpp"

#include "replay/limit_checks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace slotwise {

ReplayJobs make_replay_jobs(const JobTable& table, const Policy& policy) {
    const std::size_t n = table.size();
    ReplayJobs jobs;
    jobs.table = &table;
    std::vector<Duration> run_time(n), requested_time(n);
    std::vector<ProcCount> processors(n);
    jobs.first_submit = slotwise::first_submit(table);
    const LimitChecks checks(policy, jobs.first_submit);
    for (JobId i = 0; i < n; ++i) {
        const std::int64_t run = policy.kill_at_limit && jobs.has_request(i)
                                     ? std::min(table.run_time[i], table.requested_time[i])
                                     : table.run_time[i];
        run_time[i] = checks.are_late() && jobs.has_request(i)
                          ? checks.longest(table.requested_time[i], table.run_time[i])
                          : static_cast<Duration>(run);
        requested_time[i] = static_cast<Duration>(table.requested_time[i]);
        processors[i] = static_cast<ProcCount>(table.processors[i]);
    }
    jobs.run_time = std::move(run_time);
    jobs.requested_time = std::move(requested_time);
    jobs.processors = std::move(processors);
    return jobs;
}

void take_whole_nodes(ReplayJobs& jobs, ProcCount processors_per_node, ProcCount machine) {
    if (processors_per_node == 1) return;
    for (ProcCount& processors : jobs.processors.change())
        if (processors <= machine)
            processors +=
                (processors_per_node - processors % processors_per_node) % processors_per_node;
}

void ReplayJobs::follow_usage(double half_life) {
    if (usage_with(half_life) == nullptr) usage.emplace_back(half_life);
}

const DecayedUsage* ReplayJobs::usage_with(double half_life) const {
    for (const DecayedUsage& followed : usage)
        if (followed.half_life() == half_life) return &followed;
    return nullptr;
}

void ReplayJobs::note_start(JobId job, Time now) {
    for (DecayedUsage& followed : usage)
        followed.note_start(user(job), processors[job], now);
    if (shares) shares->note_start(job, processors[job], now);
}

void ReplayJobs::note_end(JobId job, Time now) {
    for (DecayedUsage& followed : usage)
        followed.note_end(user(job), processors[job], now);
    if (shares) shares->note_end(job, processors[job], now);
}

} // namespace slotwise
