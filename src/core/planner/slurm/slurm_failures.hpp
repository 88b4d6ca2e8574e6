// Tries of a backfill cycle that failed, and later ones that must fail too.
//
// Within a cycle, plans and running jobs are only added. So where a job found too few nodes, a
// later job that needs no less finds too few as well.
// Example: from 0 on, until 600, too few nodes have room for a job of 4 nodes and 1 h. A job of 5
// nodes and 2 h is not tried between 0 and 600.
#pragma once

#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

class SlurmFailures {
  public:
    // No plan can begin between `from` and `later`, both included, on nodes that are without a plan
    // since `from`.
    struct Failure {
        Time from;
        Time later;
    };
    struct Kind { // jobs of one request and limit in one partition
        std::uint32_t request;
        Time limit;
        std::uint64_t cycle;              // last cycle in which a job of the kind was tested
        std::vector<Failure> failures;    // failures of that cycle, both times ascending
        std::vector<std::size_t> smaller; // kinds of the partition that need no more of anything
        std::uint64_t test = 0;           // last test to which `n_before` applies
        std::size_t n_before = 0;         // failures that begin by the time of the last try
    };

    // Begins a cycle without failures.
    void begin(std::size_t n_partitions);

    // Begins the tries of a job, which are in order of time.
    Kind& kind_of(const SlurmJob& job, const SlurmSearch& search);

    // True if the job must fail between these times.
    bool must_fail(const Failure& asked, const SlurmJob& job, Kind& kind);

    static void note(const Failure& failed, Kind& kind);

  private:
    using Key = std::pair<std::uint32_t, Time>; // request, limit
    struct HashOfKey {
        std::size_t operator()(const Key& key) const {
            return std::hash<std::uint64_t>{}(std::uint64_t{key.first} << 32 ^
                                              static_cast<std::uint64_t>(key.second));
        }
    };
    struct Partition {
        std::vector<Kind> kinds;
        std::unordered_map<Key, std::size_t, HashOfKey> known; // positions
        std::size_t n_used = 0;                                // kinds of the present cycle
    };

    bool covers(const Failure& asked, Kind& kind) const;

    std::vector<Partition> partitions_;
    std::uint64_t cycle_ = 0;
    std::uint64_t test_ = 0;
};

} // namespace slotwise
