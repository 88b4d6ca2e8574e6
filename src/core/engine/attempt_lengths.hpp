// Computes the run time of a job's next attempt. It depends on the work that earlier attempts
// saved, on the job's checkpoints and on its nodes.
#pragma once

#include "replay/attempts.hpp"
#include "replay/placement_run_times.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace slotwise {

class AttemptLengths {
  public:
    // `table` and `site` must outlive this object.
    AttemptLengths(const JobTable& table, const Site& site)
        : table_(&table), site_(&site), log_(table, site.interruption) {}

    // Copies the state of `other`, but uses `site` in place of the site of `other`.
    AttemptLengths(const AttemptLengths& other, const Site& site) : AttemptLengths(other) {
        site_ = &site;
    }

    // Copies the state of `other` for `table`. Job j of the table of `other` is row row_of[j] of
    // `table`.
    AttemptLengths(const AttemptLengths& other, const JobTable& table, const Site& site,
                   std::span<const JobId> row_of)
        : table_(&table), site_(&site), log_(other.log_, table, row_of),
          placement_(other.placement_) {}

    // Makes run times depend on the nodes of the jobs, as defined by the placement effect of the
    // site.
    void follow_placement(std::size_t n_jobs) {
        placement_ = make_placement_run_times(*site_, n_jobs);
    }
    void ignore_placement() { placement_ = nullptr; }
    bool follows_placement() const { return placement_ != nullptr; }

    // Returns how many seconds the next attempt of a job would take on `nodes` if it had no time
    // limit.
    Time uncut(JobId job, std::span<const NodeInterval> nodes) const;

    // Returns uncut(), capped at the job's time limit if the policy kills jobs at their limits.
    // Throws std::invalid_argument if the attempt is too long to be replayed.
    Duration cut(JobId job, std::span<const NodeInterval> nodes) const;

    // Sets the run time of the job's next attempt. If the site has dependencies, also records
    // whether the time limit cuts the attempt short.
    void set_next(ReplayJobs& jobs, JobId job, std::span<const NodeInterval> nodes) const;

    const AttemptLog& log() const { return log_; }
    AttemptLog& log() { return log_; }

  private:
    AttemptLengths(const AttemptLengths&) = default;

    const JobTable* table_;
    const Site* site_;
    AttemptLog log_;
    // Null if run times do not depend on nodes.
    std::shared_ptr<const PlacementRunTimes> placement_;
};

} // namespace slotwise
