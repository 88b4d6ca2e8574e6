// The 19th and 20th fields in logs with 21 fields: GPUs used, and the soft walltime.
//
// Example: "... 8 3600 frontier:excl:1x112" is a job with 8 GPUs that its user expects to run for
// 3600 s. The logs of Frontier and Alea have them. They are used only if the 21st field has a size,
// because other logs have other columns there.
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
    // Adds the fields of job `row`; rows come in the order of the file, without gaps.
    void add(std::size_t row, std::string_view line, DescribedSize size);

    // Moves the columns that have a value to `jobs`, whose rows are in the order of the file.
    void move_into(JobTable& jobs);

  private:
    std::vector<std::int64_t> gpus_; // by row, -1 unknown; empty while no line has a size
    std::vector<std::int64_t> soft_walltime_;
};

} // namespace slotwise
