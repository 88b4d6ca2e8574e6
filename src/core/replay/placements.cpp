#include "replay/placements.hpp"

namespace slotwise {

Placements::Placements(const Placements& other, std::size_t n_jobs, std::span<const JobId> row_of) {
    if (other.empty()) return;
    nodes_ = other.nodes_;
    rows_.resize(n_jobs);
    intervals_ = other.intervals_;
    for (std::size_t job = 0; job < row_of.size(); ++job)
        rows_[row_of[job]] = other.rows_[job];
}

} // namespace slotwise
