// Metrics that show how contiguous each job's nodes are, and how fragmented the free nodes are.
#pragma once

#include "machine/torus/torus.hpp"
#include "metrics/metrics.hpp"
#include "metrics/replay_columns.hpp"
#include "replay/placements.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// The contiguity of each job's nodes, one value per job. A job that never started has 0 pieces, a
// mean distance of NaN and a maximum distance of -1.
struct Contiguity {
    std::vector<std::int32_t> pieces;  // number of intervals in the node order; 1 if contiguous
    std::vector<double> mean_distance; // mean torus distance over all pairs; 0 for one node
    std::vector<std::int32_t> max_distance;
};

Contiguity contiguity_of(const Placements& placements, const Torus& torus);

// Computes only Contiguity::mean_distance, because computing the largest distances takes far
// longer.
std::vector<double> mean_distances_of(const Placements& placements, const Torus& torus);

// Appends share_contiguous and mean_pieces, computed over the jobs in `ran`, and fragmentation,
// computed over the measured span. The columns must have placements.
void add_contiguity_metrics(Metrics& out, const ReplayColumns& columns, std::span<const JobId> ran,
                            const MeasuredSpan& span);

} // namespace slotwise
