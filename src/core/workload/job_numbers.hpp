// Finds the rows of a table by job number.
//
// Example: rows 0, 1 and 2 have the numbers 5, 9 and 9. Then find(5) returns row 0 and a count of
// one job, and find(9) returns row 1 and a count of two jobs.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// An index is stored only if the job numbers are not in ascending order. Creating the index takes
// O(n log n) time, and each search takes O(log n).
class JobNumbers {
  public:
    // `table` must outlive this object.
    explicit JobNumbers(const JobTable& table);

    // Returns null if an index would have to be stored. Takes O(n) time.
    static std::shared_ptr<const JobNumbers> if_ascending(const JobTable& table);

    struct Found {
        JobId row;          // first row with the number
        std::size_t n_jobs; // jobs with the number
    };
    Found find(std::int64_t number) const;

  private:
    explicit JobNumbers(const std::vector<std::int64_t>* ascending) : ids_(ascending) {}

    const std::vector<std::int64_t>* ids_;
    std::vector<JobId> rows_; // rows sorted by job number; empty if the table is in this order
};

} // namespace slotwise
