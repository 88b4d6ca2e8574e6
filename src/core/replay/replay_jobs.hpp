// The jobs of one replay, under one policy and on one machine, stored in compact columns for the
// event loop.
#pragma once

#include "containers/block_column.hpp"
#include "containers/shared_column.hpp"
#include "replay/tres_shares.hpp"
#include "replay/usage/decayed_usage.hpp"
#include "replay/usage/share_usage.hpp"
#include "site/limits.hpp"
#include "site/policy.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <optional>
#include <vector>

namespace slotwise {

// Job j of the trace is also job j here. `run_time` is the actual run time. If the policy kills
// jobs at their time limits, it is at most the requested time or, if limits are checked late,
// LimitChecks::longest().
struct ReplayJobs {
    const JobTable* table = nullptr; // outlives the replay
    SharedColumn<Duration> run_time;
    SharedColumn<Duration> requested_time;
    SharedColumn<ProcCount> processors;
    BlockColumn<double> manual_priorities; // higher values come first; empty: 0 for every job
    std::vector<double> queue_priority;    // priority of the job's queue; empty: 0 for every job
    Time first_submit = 0;
    std::vector<std::uint8_t> is_cut; // 1: killed at its limit; empty: see succeeds()
    bool all_succeed = false;         // if true, estimates assume that every job succeeds
    std::vector<DecayedUsage> usage;  // one entry per half-life; empty if no order reads usage
    std::optional<ShareUsage> shares; // usage of accounts; empty if no order reads it
    std::vector<double> nodes_asked;  // indexed by job; empty if no order reads it
    double largest_queue_priority = 0;
    ProcCount machine_processors = 0; // this and machine_nodes are set if nodes_asked is not empty
    double machine_nodes = 0;
    TresShares tres;      // empty unless an order reads it
    Time local_epoch = 0; // time 0 of the trace on the machine's clock, in seconds since 1970
    Time calc_period = 0; // seconds between two recalculations of usage; 0: usage is current

    std::size_t size() const { return processors.size(); }
    Time submit(JobId job) const { return table->submit[job]; }
    void follow_usage(double half_life);
    // Returns null if no usage with this half-life is tracked.
    const DecayedUsage* usage_with(double half_life) const;
    void note_start(JobId job, Time now);
    void note_end(JobId job, Time now);
    bool follows_usage() const { return !usage.empty() || shares.has_value(); }
    double priority(JobId job) const { return queue_priority.empty() ? 0.0 : queue_priority[job]; }
    double manual_priority(JobId job) const {
        return manual_priorities.empty() ? 0.0 : manual_priorities[job];
    }
    bool has_request(JobId job) const {
        return table->has_request.empty() || table->has_request[job] != 0;
    }
    std::int32_t user(JobId job) const { return table->user.empty() ? -1 : table->user[job]; }
    std::int32_t group(JobId job) const { return table->group.empty() ? -1 : table->group[job]; }
    std::int32_t account(JobId job) const {
        return table->account.empty() ? -1 : table->account[job];
    }
    double nice(JobId job) const {
        return table->nice.empty() ? 0.0 : static_cast<double>(table->nice[job]);
    }
    double site_factor(JobId job) const {
        return table->site_factor.empty() ? 0.0 : static_cast<double>(table->site_factor[job]);
    }
    // Returns the number of nodes that the job requested, or `otherwise` if it is unknown.
    std::int64_t requested_nodes(JobId job, std::int64_t otherwise) const {
        const std::int64_t given = table->requested_nodes.empty() ? 0 : table->requested_nodes[job];
        return given > 0 ? given : otherwise;
    }
    std::int32_t qos(JobId job) const { return table->qos.empty() ? -1 : table->qos[job]; }

    // Returns true if the job succeeds when it runs to its end: it is not killed at its limit, and
    // its state in the log is completed or unknown.
    bool succeeds(JobId job) const {
        if (all_succeed) return true;
        const std::int32_t status = table->status.empty() ? -1 : table->status[job];
        const bool cut = is_cut.empty() ? run_time[job] < table->run_time[job] : is_cut[job] != 0;
        return !cut && (status == 1 || status == -1);
    }

    // Returns the owner of the job in the given scope. A limit counts the jobs of one owner
    // together. If the owner is unknown (-1), the limit does not apply.
    std::int32_t owner(JobId job, LimitScope scope) const {
        switch (scope) {
        case LimitScope::user:
            return user(job);
        case LimitScope::group:
            return group(job);
        case LimitScope::account:
            return account(job);
        case LimitScope::qos:
            return qos(job);
        default:
            return 0;
        }
    }
};

ReplayJobs make_replay_jobs(const JobTable& table, const Policy& policy);

// Returns the first submit time in the trace, or 0 if it has no jobs.
inline Time first_submit(const JobTable& table) {
    return table.size() == 0 ? 0 : table.submit[0];
}

// For each job that fits on the machine, rounds its number of processors up to whole nodes.
void take_whole_nodes(ReplayJobs& jobs, ProcCount processors_per_node, ProcCount machine);

} // namespace slotwise
