// One cycle of Slurm's backfill scheduler.
//
// Waiting jobs are considered in order. Each one starts now if that does not affect the plans of
// the jobs before it. Otherwise it gets its own plan, on specific nodes. Example with two nodes: A
// runs on node 1 until 100. B needs both nodes and is planned at 100. C needs one node for 60 s. If
// C is submitted at 0, it starts on node 2. If it is submitted at 40, it must wait, because it
// would end exactly when the plan of B begins.
#pragma once

#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_failures.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_plan_table.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace slotwise {

class SlurmBackfill {
  public:
    struct Plan {
        std::size_t position; // position in the given queue
        Time begin;
        Time end;
        std::vector<std::int32_t> nodes;
    };

    SlurmBackfill(const SlurmCluster& cluster, const SlurmRules& rules);

    // Switches this copy to the cluster and the rules of its new planner.
    void rebind(const SlurmCluster& cluster, const SlurmRules& rules) {
        cluster_ = &cluster;
        rules_ = &rules;
        table_.rebind(cluster);
    }

    // `queue` must be in Slurm's order. No job starts on `completing` nodes.
    void run(std::span<const SlurmJob> queue, Time now, const NodeBits& completing,
             SlurmSearch& search, const SlurmAnswers& answers);

    // Returns the time until which further cycles would make the same decisions as the last one, if
    // no job arrives, starts or ends and no priority changes.
    Time same_until() const { return same_until_; }

    // Returns the plans of the last cycle.
    std::span<const Plan> plans() const { return plans_; }

    // Returns true if the last cycle tested the job at this position of its queue.
    bool came_to(std::size_t position) const {
        return position < n_looked_at_ &&
               !std::binary_search(skipped_.begin(), skipped_.end(), position);
    }

    // Returns the last multiple of the resolution at or before a time.
    Time cut(Time time) const;

  private:
    using Failure = SlurmFailures::Failure;
    using Kind = SlurmFailures::Kind;
    struct Counts { // numbers of jobs considered in a cycle
        std::map<std::int32_t, std::int64_t> by_user;
        std::map<std::uint32_t, std::int64_t> by_partition;
        std::map<std::pair<std::int32_t, std::uint32_t>, std::int64_t> by_both;
        std::map<std::uint32_t, std::int64_t> planned;
    };
    struct Cycle { // data shared by the jobs of a cycle
        std::span<const SlurmJob> queue;
        Time now;
        const NodeBits& completing;
        SlurmSearch& search;
        const SlurmAnswers& answers;
        Counts counts;
        bool is_full; // no further plan fits into the table
    };
    struct Test { // data of the job being tested
        const SlurmJob& job;
        Kind* kind;       // null if a failed attempt of the job says nothing about later attempts
        Time fails_until; // every attempt up to this time is known to fail
        bool was_sought;  // true if the scheduler has searched for nodes for the job
    };

    bool exceeds(const SlurmJob& job, Counts& counts) const;
    bool gets_plan(const SlurmJob& job, const Cycle& cycle) const;
    bool repeats_failures(const SlurmJob& job, const SlurmSearch& search) const;
    Time try_from(Test& test, const Failure& asked, std::size_t span, Cycle& cycle);
    Time try_counts(const Test& test, const Failure& asked, Cycle& cycle);
    bool must_overlap(const SlurmJob& job, Time from, Time begin, const SlurmSearch& search) const;
    bool tests(std::size_t at, Cycle& cycle);
    bool starts(std::size_t at, Cycle& cycle);
    bool plan(std::size_t at, Time from, Time begin, const std::vector<std::int32_t>& nodes,
              Cycle& cycle);
    void bound(Time until) { same_until_ = std::min(same_until_, until); }

    const SlurmCluster* cluster_;
    const SlurmRules* rules_;
    SlurmPlanTable table_;
    std::vector<Plan> plans_;
    SlurmFailures failures_; // failures of the last cycle
    std::size_t n_looked_at_ = 0;
    // Positions of jobs that are held back, or that exceed a bound on the jobs of their user or
    // partition.
    std::vector<std::size_t> skipped_;
    NodeBits allowed_;
    Time same_until_ = 0;
};

} // namespace slotwise
