// Jobs that arrive when they are eligible: the replay uses a table sorted by that time.
//
// Example: job 0 is submitted at 0 and eligible from 100, and job 1 is submitted at 50. In the
// sorted table, job 1 is row 0 with submit time 50, and job 0 is row 1 with submit time 100. Starts
// are returned in the rows of the log.
#pragma once

#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <vector>

namespace slotwise {

class EligibleArrivals {
  public:
    // A job with a dependency that counts under `site` arrives at its submit time, because the end
    // of the other job determines when it may start.
    EligibleArrivals(const std::shared_ptr<const JobTable>& table, const Site& site);

    // True if some job is eligible after its submit time; otherwise table() is empty.
    bool any() const { return table_ != nullptr; }

    // Jobs sorted by arrival, which is the submit time here. Logged waits are measured from it.
    const std::shared_ptr<const JobTable>& table() const { return table_; }

    // rows()[i] is the log's row for row i of `table`.
    const std::vector<JobId>& rows() const { return table_->log->rows; }

    // The site, with the demands of the rows of `table`.
    Site site_of_rows(const Site& site) const;

  private:
    std::shared_ptr<const JobTable> table_;
};

// Converts `schedule` to the rows of the log; rows[i] is the log's row for row i.
Schedule in_log_order(const Schedule& schedule, const std::vector<JobId>& rows);

// Converts starts and stopped attempts of a schedule from the rows of the log to those of
// `arrivals`.
Schedule starts_by_arrival(const Schedule& schedule, const EligibleArrivals& arrivals);

// The inverse of a permutation of rows.
std::vector<JobId> inverse(const std::vector<JobId>& rows);

} // namespace slotwise
