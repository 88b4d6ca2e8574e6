// Sizes of jobs as the 21st field names them: "frontier:excl:2500x112", 2,500 nodes of 112 cores.
//
// Such logs hold counts of nodes in fields 5 and 8, or of cores, or of both by turns. Where all of
// a file agree with the 21st field in one unit they stand; else its nodes take their place.
#pragma once

#include "workload/job_table.hpp"
#include "workload/trace_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slotwise {

struct DescribedSize {
    std::int64_t nodes = 0; // 0 where the field names no size
    std::int64_t cores = 0; // of each node
};

inline constexpr std::size_t kDescriptorField = 20; // of a line with exactly one field more

// Reads text of two words and a size, each behind a ':'.
DescribedSize described_size(std::string_view text);

class DescribedSizes {
  public:
    // Takes the size of job `row`; rows come in the order of the file, all of them.
    void add(std::size_t row, DescribedSize size, std::int64_t processors);

    // Puts the nodes in place of sizes that disagree with them, and counts each.
    // `jobs` has the rows in the order of the file.
    void correct(JobTable& jobs, TraceReport& report) const;

  private:
    std::vector<std::int64_t> nodes_; // of each row; empty while no line names any
    bool all_nodes_ = true;           // every size is the nodes
    bool all_cores_ = true;           // every size is the cores of all nodes
};

} // namespace slotwise
