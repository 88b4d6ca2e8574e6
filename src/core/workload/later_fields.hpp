// The 19th and 20th fields in logs with 21 fields: the number of GPUs used, and the soft walltime.
//
// Example: "... 8 3600 frontier:excl:1x112" describes a job that uses 8 GPUs and that its user
// expects to run for 3600 s. The logs of Frontier and Alea have these fields. They are read only if
// the 21st field contains a size, because other logs have different data in these fields.
#pragma once

#include "workload/described_sizes.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slotwise {

class LaterFields {
  public:
    // Adds the fields of the job in row `row`. Rows must be added in the order of the file, without
    // gaps.
    void add(std::size_t row, std::string_view line, DescribedSize size);

    // Moves to `jobs` each column that contains at least one value. The rows of `jobs` must be in
    // the order of the file.
    void move_into(JobTable& jobs);

  private:
    std::vector<std::int64_t> gpus_; // GPUs of each row; -1: unknown; empty until a line has a size
    std::vector<std::int64_t> soft_walltime_;
};

} // namespace slotwise
