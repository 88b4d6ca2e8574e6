// Computes run times that depend on the nodes on which jobs run.
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

// The run times of one trace under one placement effect. Site::placement defines which jobs are
// sensitive to their nodes.
class PlacementRunTimes {
  public:
    PlacementRunTimes(const PlacementEffect& effect, std::shared_ptr<const Torus> torus,
                      std::size_t n_jobs);

    bool is_sensitive(JobId job) const { return sensitive_.empty() || sensitive_[job] != 0; }

    // Returns the run time of the job on these nodes; `run` is its run time without the placement
    // effect. The result is `run` if the job is not sensitive or has no nodes yet. Otherwise, if
    // gamma is above 0, it is floor(run · (1 + gamma · dispersal) + ½). If gamma is 0, it is
    // floor(run · (1 - alpha) + ½), but at least 1, on nodes that form one interval, and `run` on
    // all others.
    Time length(JobId job, Time run, std::span<const NodeInterval> nodes) const;

  private:
    double dispersal(std::span<const NodeInterval> nodes) const;

    PlacementEffect effect_;
    std::shared_ptr<const Torus> torus_;
    double mean_of_all_ = 0;              // mean torus distance over all pairs of nodes
    std::vector<std::uint8_t> sensitive_; // indexed by job; empty: all jobs are sensitive
};

// Marks the first round(beta · n) jobs of a random permutation of n jobs (a Fisher-Yates shuffle
// with SplitMix64). The jobs marked for a smaller beta are therefore a subset of those marked for a
// larger one.
std::vector<std::uint8_t> sensitive_jobs(double beta, std::uint64_t seed, std::size_t n_jobs);

// Returns null if, at this site, run times do not depend on the nodes on which jobs run.
std::shared_ptr<const PlacementRunTimes> make_placement_run_times(const Site& site,
                                                                  std::size_t n_jobs);

} // namespace slotwise
