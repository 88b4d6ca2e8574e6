// The nodes on which the jobs of a replay run or have run.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// For each job, the intervals of nodes on which it ran after its last start. The intervals are
// ascending and not adjacent, because consecutive nodes form a single interval.
class Placements {
  public:
    Placements() = default; // used for a machine without nodes
    Placements(std::size_t n_jobs, NodeCount nodes) : nodes_(nodes), rows_(n_jobs) {}

    // Copies `other` for a trace with `n_jobs` jobs. Job j in `other` is job row_of[j] here.
    Placements(const Placements& other, std::size_t n_jobs, std::span<const JobId> row_of);

    bool empty() const { return nodes_ == 0; } // true if the machine has no nodes
    std::size_t size() const { return rows_.size(); }
    NodeCount nodes() const { return nodes_; } // number of nodes of the machine

    // Returns the nodes of a job; the result is empty for a job that never started.
    std::span<const NodeInterval> of(JobId job) const {
        if (rows_.empty()) return {};
        return {intervals_.data() + rows_[job].first, rows_[job].count};
    }

    void set(JobId job, std::span<const NodeInterval> nodes) {
        rows_[job] = {static_cast<std::uint32_t>(intervals_.size()),
                      static_cast<std::uint32_t>(nodes.size())};
        intervals_.insert(intervals_.end(), nodes.begin(), nodes.end());
    }

  private:
    struct Row {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    NodeCount nodes_ = 0;
    std::vector<Row> rows_; // indexed by job
    std::vector<NodeInterval> intervals_;
};

} // namespace slotwise
