// Records the failed attempts of a backfill cycle, to identify later attempts that must also fail.
//
// Within a cycle, plans and running jobs are only added. Therefore, if there were too few nodes for
// a job, there are also too few for any later job that needs at least as much. Example: from 0 to
// 600, too few nodes have room for a job of 4 nodes and 1 h. A job of 5 nodes and 2 h is not tried
// between 0 and 600.
#pragma once

#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

class SlurmFailures {
  public:
    // A failed attempt: the job cannot begin between `from` and `later`, both included, on nodes
    // that have no plan at `from`.
    struct Failure {
        Time from;
        Time later;
    };
    struct Kind {             // jobs with the same request and limit in one partition
        std::uint32_t number; // position in the list of kinds
        std::uint32_t request;
        Time limit;
        std::uint64_t cycle;           // last cycle in which a job of the kind was tested
        std::vector<Failure> failures; // failures in that cycle, in order of time
        // Kinds of jobs in the same partition that need no more of any resource than this kind.
        std::vector<std::uint32_t> smaller;
        std::uint64_t test = 0;   // the last test for which `n_before` is valid
        std::size_t n_before = 0; // number of failures that begin no later than the last attempt
    };

    // Begins a cycle and forgets all failures.
    void begin(std::size_t n_partitions);

    // Returns the kind of a job. Must be called before the first attempt to plan the job. The
    // attempts must be made in ascending order of time.
    Kind& kind_of(const SlurmJob& job, const SlurmSearch& search);

    // Returns a time, no earlier than `asked.later`, up to which every attempt from `asked.from`
    // onwards must fail. Returns std::nullopt if the job may succeed by `asked.later`.
    std::optional<Time> fails_until(const Failure& asked, const SlurmJob& job, Kind& kind);

    void note(const Failure& failed, const SlurmJob& job, Kind& kind);

  private:
    using Key = std::pair<std::uint32_t, Time>; // a request and a limit
    struct HashOfKey {
        std::size_t operator()(const Key& key) const {
            return std::hash<std::uint64_t>{}(std::uint64_t{key.first} << 32 ^
                                              static_cast<std::uint64_t>(key.second));
        }
    };
    struct Extent { // the times between which a kind has failures; empty if `first` is kNever
        Time first = kNever;
        Time last = 0;
    };
    struct Partition {
        std::vector<Kind> kinds;
        std::vector<Extent> extents;                           // indexed like `kinds`
        std::unordered_map<Key, std::size_t, HashOfKey> known; // positions of kinds
        std::size_t n_used = 0; // number of kinds used in the current cycle
    };

    const Failure* covering(const Failure& asked, Kind& kind) const;

    std::vector<Partition> partitions_;
    std::uint64_t cycle_ = 0;
    std::uint64_t test_ = 0;
};

} // namespace slotwise
