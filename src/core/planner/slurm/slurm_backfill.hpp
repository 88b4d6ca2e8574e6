// One cycle of Slurm's backfill scheduler.
//
// Each waiting job, in order, starts now if that leaves the plans of the jobs before it untouched.
// Otherwise it gets its own plan, on named nodes.
// Example: two nodes. A runs on node 1 until 100. B needs both nodes and is planned at 100. C needs
// one node for 60 s. At 0 it starts on node 2; at 40 it does not, because it would end at 100.
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

    // Points a copy to the cluster and the rules of its own planner.
    void rebind(const SlurmCluster& cluster, const SlurmRules& rules) {
        cluster_ = &cluster;
        rules_ = &rules;
        table_.rebind(cluster);
    }

    // `queue` is in order; no job starts on `completing` nodes.
    void run(std::span<const SlurmJob> queue, Time now, const NodeBits& completing,
             SlurmSearch& search, const SlurmAnswers& answers);

    // Until this time, another cycle would decide the same as the last one, if no job has arrived,
    // started or ended and no priority has changed.
    Time same_until() const { return same_until_; }

    // Plans of the last cycle.
    std::span<const Plan> plans() const { return plans_; }

    // True if the last cycle tested the job at this position of its queue.
    bool came_to(std::size_t position) const {
        return position < n_looked_at_ &&
               !std::binary_search(skipped_.begin(), skipped_.end(), position);
    }

    // The multiple of the resolution at or before a time.
    Time cut(Time time) const;

  private:
    using Failure = SlurmFailures::Failure;
    using Kind = SlurmFailures::Kind;
    struct Counts { // numbers of jobs in a cycle
        std::map<std::int32_t, std::int64_t> by_user;
        std::map<std::uint32_t, std::int64_t> by_partition;
        std::map<std::pair<std::int32_t, std::uint32_t>, std::int64_t> by_both;
        std::map<std::uint32_t, std::int64_t> planned;
    };
    struct Cycle { // data that the jobs of a cycle share
        std::span<const SlurmJob> queue;
        Time now;
        const NodeBits& completing;
        SlurmSearch& search;
        const SlurmAnswers& answers;
        Counts counts;
        bool is_full; // the table has no room for another plan
    };

    bool exceeds(const SlurmJob& job, Counts& counts) const;
    bool gets_plan(const SlurmJob& job, const Cycle& cycle) const;
    bool repeats_failures(const SlurmJob& job, const SlurmSearch& search) const;
    Time try_from(const SlurmJob& job, const Failure& asked, Kind* kind, bool& was_sought,
                  Cycle& cycle);
    Time try_counts(const SlurmJob& job, const Failure& asked, Kind* kind, Cycle& cycle);
    bool must_overlap(const SlurmJob& job, Time from, Time begin, const SlurmSearch& search) const;
    bool test(std::size_t at, Cycle& cycle);
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
    std::vector<std::size_t> skipped_; // held back, or beyond a bound of their user or partition
    NodeBits allowed_;
    Time same_until_ = 0;
};

} // namespace slotwise
