#include "replay/replay_jobs.hpp"

#include "replay/limit_checks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

// Copies a column. Elements are appended to the copy, which avoids first filling it with zeros.
template <class Value> std::vector<Value> narrowed(const std::vector<std::int64_t>& column) {
    return {column.begin(), column.end()};
}

// Returns the run times of the jobs. If the policy kills jobs at their time limits, longer run
// times are shortened to the limit or, if limits are checked late, to LimitChecks::longest().
std::vector<Duration> run_times(const ReplayJobs& jobs, const Policy& policy) {
    const JobTable& table = *jobs.table;
    std::vector<Duration> run_time = narrowed<Duration>(table.run_time);
    if (!policy.kill_at_limit) return run_time;
    const LimitChecks checks(policy, jobs.first_submit);
    const bool all_have_requests = table.has_request.empty();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!all_have_requests && table.has_request[i] == 0) continue;
        const std::int64_t run = table.run_time[i], requested = table.requested_time[i];
        run_time[i] = checks.are_late() ? checks.longest(requested, run)
                                        : static_cast<Duration>(std::min(run, requested));
    }
    return run_time;
}

} // namespace

ReplayJobs make_replay_jobs(const JobTable& table, const Policy& policy) {
    ReplayJobs jobs;
    jobs.table = &table;
    jobs.first_submit = slotwise::first_submit(table);
    jobs.run_time = run_times(jobs, policy);
    jobs.requested_time = narrowed<Duration>(table.requested_time);
    jobs.processors = narrowed<ProcCount>(table.processors);
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
