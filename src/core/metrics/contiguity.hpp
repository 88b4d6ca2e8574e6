// Contiguity of the nodes of jobs, and fragmentation of the free nodes.
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

// One value per job; a job that never started has 0 pieces, and the distances NaN and -1.
struct Contiguity {
    std::vector<std::int32_t> pieces;  // intervals of the node order; 1: contiguous
    std::vector<double> mean_distance; // mean torus distance over pairs of nodes; 0 for one node
    std::vector<std::int32_t> max_distance; // likewise
};

Contiguity contiguity_of(const Placements& placements, const Torus& torus);

// Computes only Contiguity::mean_distance, because the largest distances cost far more.
std::vector<double> mean_distances_of(const Placements& placements, const Torus& torus);

// Appends share_contiguous and mean_pieces over the jobs `ran`, and fragmentation over the measured
// span. The columns must have placements.
void add_contiguity_metrics(Metrics& out, const ReplayColumns& columns, std::span<const JobId> ran,
                            const MeasuredSpan& window);

} // namespace slotwise
