// Sizes of jobs from the 21st field: "frontier:excl:2500x112" means 2,500 nodes of 112 cores.
//
// In such logs, fields 5 and 8 count nodes, or cores, or a mix of both. If all sizes in a file
// agree with the 21st field in one unit, they are left unchanged; otherwise the node counts of that
// field replace them.
#pragma once

#include "workload/job_table.hpp"
#include "workload/trace_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slotwise {

struct DescribedSize {
    std::int64_t nodes = 0; // 0 if the field has no size
    std::int64_t cores = 0; // cores per node
};

inline constexpr std::size_t kDescriptorField = 20; // the 21st; read in lines of 21 fields

// Reads text of two words and a size, separated by ':'.
DescribedSize described_size(std::string_view text);

class DescribedSizes {
  public:
    // Adds the size of job `row`; rows come in the order of the file, without gaps.
    void add(std::size_t row, DescribedSize size, std::int64_t processors);

    // Replaces each size that differs from the number of nodes, and reports it.
    // `jobs` has the rows in the order of the file.
    void correct(JobTable& jobs, TraceReport& report) const;

  private:
    std::vector<std::int64_t> nodes_; // by row; empty until a line has a size
    bool all_nodes_ = true;           // every size is the number of nodes
    bool all_cores_ = true;           // every size is the number of cores of all nodes
};

} // namespace slotwise
