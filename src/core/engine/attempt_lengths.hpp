// Run time of a job's next attempt, given the work saved by earlier attempts, its checkpoints and
// its nodes.
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

    // Continues from the state of `other`, but with the site of another replay.
    AttemptLengths(const AttemptLengths& other, const Site& site) : AttemptLengths(other) {
        site_ = &site;
    }

    // As above, over `table`, in which job j of other's table is row row_of[j].
    AttemptLengths(const AttemptLengths& other, const JobTable& table, const Site& site,
                   std::span<const JobId> row_of)
        : table_(&table), site_(&site), log_(other.log_, table, row_of),
          placement_(other.placement_) {}

    // Makes run times depend on nodes, under the placement effect of the site.
    void follow_placement(std::size_t n_jobs) {
        placement_ = make_placement_run_times(*site_, n_jobs);
    }
    void ignore_placement() { placement_ = nullptr; }
    bool follows_placement() const { return placement_ != nullptr; }

    // Seconds that the next attempt of a job on `nodes` would take without a limit.
    Time uncut(JobId job, std::span<const NodeInterval> nodes) const;

    // Same as uncut(), but cut at the limit of the job. Throws std::invalid_argument for a length
    // that cannot be replayed.
    Duration cut(JobId job, std::span<const NodeInterval> nodes) const;

    // Sets the run time of the next attempt and, for dependent jobs, whether the limit cuts it.
    void set_next(ReplayJobs& jobs, JobId job, std::span<const NodeInterval> nodes) const;

    const AttemptLog& log() const { return log_; }
    AttemptLog& log() { return log_; }

  private:
    AttemptLengths(const AttemptLengths&) = default;

    const JobTable* table_;
    const Site* site_;
    AttemptLog log_;
    std::shared_ptr<const PlacementRunTimes> placement_; // null: nodes change no run time
};

} // namespace slotwise
