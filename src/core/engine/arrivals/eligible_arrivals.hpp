// Arrivals of jobs that become eligible only after they are submitted. Each job arrives when it
// becomes eligible, so the replay uses a table sorted by that time.
//
// Example: job 0 is submitted at 0 and becomes eligible at 100; job 1 is submitted at 50. In the
// sorted table, job 1 is row 0 with submit time 50, and job 0 is row 1 with submit time 100. The
// start times are converted back to the row order of the log.
#pragma once

#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <vector>

namespace slotwise {

class EligibleArrivals {
  public:
    // A job with a dependency that the site takes into account arrives when it is submitted, but
    // not before the jobs on which it depends. Those jobs, not its eligible time, then determine
    // when it may start.
    EligibleArrivals(const std::shared_ptr<const JobTable>& table, const Site& site);

    // Returns true if some job becomes eligible only after its submit time. Otherwise, table() is
    // null.
    bool any() const { return table_ != nullptr; }

    // Returns the jobs sorted by arrival time. In this table, arrival times replace submit times,
    // and logged waiting times are measured from arrival.
    const std::shared_ptr<const JobTable>& table() const { return table_; }

    // rows()[i] is the row of the log that corresponds to row i of table().
    const std::vector<JobId>& rows() const { return table_->log->rows; }

    // Returns a copy of the site, with the demands of its jobs in the row order of table().
    Site site_of_rows(const Site& site) const;

  private:
    std::shared_ptr<const JobTable> table_;
};

// Converts `schedule` to the row order of the log. Row i of `schedule` becomes row rows[i].
Schedule in_log_order(const Schedule& schedule, const std::vector<JobId>& rows);

// Converts the starts and the stopped attempts of a schedule from the row order of the log to the
// row order of `arrivals`.
Schedule starts_by_arrival(const Schedule& schedule, const EligibleArrivals& arrivals);

// Returns the inverse of a permutation of rows.
std::vector<JobId> inverse(const std::vector<JobId>& rows);

} // namespace slotwise
