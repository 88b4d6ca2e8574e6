// Reads job sizes from the 21st field of a line. For example, "frontier:excl:2500x112" means 2,500
// nodes with 112 cores each.
//
// In logs with such a field, fields 5 and 8 contain numbers of nodes, numbers of cores, or a mix of
// both. The sizes are left unchanged if all of them equal the numbers of nodes in the 21st field,
// or if all of them equal the numbers of cores. Otherwise, they are replaced by the numbers of
// nodes.
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

inline constexpr std::size_t kDescriptorField = 20; // the 21st field of a line

DescribedSize described_size(std::string_view text);

class DescribedSizes {
  public:
    // Adds the size of the job in row `row`. Rows must be added in the order of the file, without
    // gaps.
    void add(std::size_t row, DescribedSize size, std::int64_t processors);

    // If the sizes must be replaced, replaces each size whose number of nodes is known, and records
    // the changes in `report`. The rows of `jobs` must be in the order of the file.
    void correct(JobTable& jobs, TraceReport& report) const;

  private:
    std::vector<std::int64_t> nodes_; // number of nodes by row; empty until a line has a size
    bool all_nodes_ = true;           // every size is the number of nodes
    bool all_cores_ = true;           // every size is the number of cores of all nodes
};

} // namespace slotwise
