// Data shared by all replays in which an outside agent decides: the columns of the jobs, the
// policies, and the order of the jobs under each policy.
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

// The largest value of each column of a trace, but at least 1. Observations divide the values of a
// job by these maxima.
struct LargestValues {
    double requested_time = 1;
    double run_time = 1;
    double memory = 1;
    double user = 1;
    double group = 1;
    double executable = 1;
};

// Objects of this class are read-only, so any number of threads and replays may share one.
class DecisionJobs {
  public:
    // A policy: the order of the waiting jobs, and the rule for starting jobs behind the head. The
    // head is the first job in that order.
    struct Rule {
        OrderSpec order;
        std::vector<JobId> rank; // rank of each job; empty for trace order or changing scores
        bool drifts = false;
        bool others_pass = true; // true if jobs behind the head may start
        bool reserves = true;    // true if jobs behind the head must not delay it
    };

    // Throws std::invalid_argument if the backfill rule of a policy is not none, first-fit or easy,
    // or if its order is a function or depends on past usage. A policy must not set backfill_order,
    // estimates, passes, an event order, an allocation or an option of the reservation. All
    // policies must have the same kill_at_limit.
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

    // Returns the first job submitted at `time` or later.
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
