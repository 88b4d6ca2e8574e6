// Run times as the nodes of a job change them.
#pragma once

#include "engine/site.hpp"
#include "machine/node_interval.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// One trace under one effect; Site::placement says which jobs are sensitive.
class PlacedRuns {
  public:
    PlacedRuns(const PlacementEffect& effect, std::size_t n_jobs);

    bool is_sensitive(JobId job) const { return sensitive_.empty() || sensitive_[job] != 0; }

    // What a job of `run` seconds runs on these nodes: floor(run · (1 - alpha) + ½), at least 1,
    // where it is sensitive and they are one interval. `run` where it has none yet.
    Time length(JobId job, Time run, std::span<const NodeInterval> nodes) const;

  private:
    PlacementEffect effect_;
    std::vector<std::uint8_t> sensitive_; // by job; empty: all
};

// The first round(beta · n) jobs of a permutation of n, drawn by Fisher and Yates's shuffle from
// SplitMix64: those of a smaller beta are among those of a larger one.
std::vector<std::uint8_t> sensitive_jobs(double beta, std::uint64_t seed, std::size_t n_jobs);

// Null where the site's nodes change nothing.
std::shared_ptr<const PlacedRuns> make_placed_runs(const Site& site, std::size_t n_jobs);

} // namespace slotwise
