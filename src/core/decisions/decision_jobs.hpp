// Data that all replays with outside decisions share: columns, policies and their orders.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "site/policy.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// The largest values in a trace, at least 1. Observations divide the values of a job by them.
struct LargestValues {
    double requested_time = 1;
    double run_time = 1;
    double memory = 1;
    double user = 1;
    double group = 1;
    double executable = 1;
};

// Read-only, so any number of threads and replays may share it.
class DecisionJobs {
  public:
    // A policy: the order of the jobs, and which of them may pass the head.
    struct Rule {
        OrderSpec order;
        std::vector<JobId> rank; // one per job; empty: order of the trace, or scores that drift
        bool drifts = false;
        bool others_pass = true; // jobs behind the head may start
        bool reserves = true;    // only those that the head's reservation permits
    };

    // Throws std::invalid_argument for a policy that needs a whole scheduler: one with a backfill
    // other than none, first-fit and easy, or with a backfill option.
    DecisionJobs(std::shared_ptr<const JobTable> table, ProcCount processors,
                 std::span<const Policy> policies);
    DecisionJobs(const DecisionJobs&) = delete;

    std::size_t size() const { return columns_.size(); }
    ProcCount machine() const { return machine_; }
    const JobTable& table() const { return *table_; }
    const ReplayJobs& columns() const { return columns_; }
    const std::vector<Rule>& rules() const { return rules_; }
    const LargestValues& largest() const { return largest_; }
    bool fits_machine(JobId job) const { return columns_.processors[job] <= machine_; }

    // The first job submitted at `time` or later.
    JobId first_from(Time time) const;

  private:
    void find_largest();

    std::shared_ptr<const JobTable> table_;
    ProcCount machine_;
    ReplayJobs columns_;
    std::vector<Rule> rules_;
    LargestValues largest_;
};

} // namespace slotwise
