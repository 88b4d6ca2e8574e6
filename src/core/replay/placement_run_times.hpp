// Run times of jobs, as their nodes affect them.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/torus.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// Applies to one trace under one placement effect; Site::placement defines which jobs are
// sensitive.
class PlacementRunTimes {
  public:
    PlacementRunTimes(const PlacementEffect& effect, std::shared_ptr<const Torus> torus,
                      std::size_t n_jobs);

    bool is_sensitive(JobId job) const { return sensitive_.empty() || sensitive_[job] != 0; }

    // Run time, on these nodes, of a job that otherwise takes `run` seconds; `run` if it is not
    // sensitive or has no nodes yet. With alpha, and if the nodes form one interval, floor(run · (1
    // - alpha) + ½), at least 1. With gamma, floor(run · (1 + gamma · dispersal) + ½).
    Time length(JobId job, Time run, std::span<const NodeInterval> nodes) const;

  private:
    double dispersal(std::span<const NodeInterval> nodes) const;

    PlacementEffect effect_;
    std::shared_ptr<const Torus> torus_;
    double mean_of_all_ = 0;              // mean torus distance over all pairs of nodes; for gamma
    std::vector<std::uint8_t> sensitive_; // by job; empty: all
};

// The first round(beta · n) jobs of a random permutation of n (Fisher-Yates shuffle with
// SplitMix64). The jobs for a smaller beta are thus a subset of those for a larger one.
std::vector<std::uint8_t> sensitive_jobs(double beta, std::uint64_t seed, std::size_t n_jobs);

// Null if the site's nodes do not affect run times.
std::shared_ptr<const PlacementRunTimes> make_placement_run_times(const Site& site,
                                                                  std::size_t n_jobs);

} // namespace slotwise
