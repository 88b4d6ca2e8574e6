// The running jobs on each node, the amounts that are free now, and those that become free as jobs
// end.
//
// Example: a node of 4 cores runs A (3 cores, until its limit at 10:00) and B (1 core, until its
// limit at 11:00). No core is free now; 3 are free from 10:00 onwards, and 4 from 11:00 onwards.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "types.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slotwise {

// A key that orders running jobs by the end of their time limits, and then by position in the
// trace.
using EndKey = std::int64_t;
inline constexpr EndKey kFreeNow = std::numeric_limits<EndKey>::min();
inline constexpr EndKey kNeverFree = std::numeric_limits<EndKey>::max();

inline constexpr int kJobBits = 24; // number of bits of an EndKey that hold the job
inline EndKey end_key(Time end, JobId job) {
    return end << kJobBits | (job & ((1 << kJobBits) - 1));
}
inline Time end_of(EndKey key) {
    return key >> kJobBits;
}

class SlurmOccupancy {
  public:
    struct Tenant {
        EndKey key;
        Amounts share;
    };
    struct Part { // nodes in one word of a NodeBits
        std::uint32_t word;
        std::uint64_t nodes;
    };
    struct Running {
        EndKey key;
        JobId job;
        std::vector<std::int32_t> nodes; // ascending
        std::vector<Part> parts;         // the same nodes
        std::uint64_t words;             // bit w % 64 is set if one of the parts is in word w
    };

    explicit SlurmOccupancy(const SlurmCluster& cluster);

    // Returns the number of units of a request that fit on a node whose free amounts are `free`.
    static std::int32_t room(const SlurmRequest& request, const Amounts& free) {
        if (!request.has_per_node) return request.room(free);
        Amounts rest = free;
        rest.add(-1, request.per_node);
        return rest.any_negative() ? 0 : request.room(rest);
    }

    // Returns the number of units of a request that fit on a node once all jobs due to end by
    // `until` have ended. kFreeNow stands for the current time.
    std::int32_t room_at(const SlurmRequest& request, std::int32_t node, EndKey until) const;

    std::int64_t free_cores_at(std::int32_t node, EndKey until) const {
        std::int64_t free = free_[index(node)].near(0);
        for (const Tenant& tenant : tenants_[index(node)]) {
            if (tenant.key > until) break;
            free += tenant.share.near(0);
        }
        return free;
    }

    // Returns the amounts that are free on a node once all jobs due to end by `until` have ended.
    Amounts free_at(std::int32_t node, EndKey until) const;

    // Returns the earliest key from which a unit fits on a node. Returns kNeverFree if the node
    // does not meet the constraint of the request, or if a unit does not fit even when the node is
    // idle.
    EndKey free_for_one(const SlurmRequest& request, std::int32_t node) const;

    // Returns the amounts that a job occupies on a node with `units` of its units.
    Amounts share(const SlurmRequest& request, std::int32_t node, std::int32_t units) const;

    void start(JobId job, Time end, std::span<const std::int32_t> nodes,
               std::span<const Amounts> shares);
    std::vector<std::int32_t> end(JobId job); // returns the nodes of the job

    std::span<const Running> running() const { return running_; } // sorted by key

    // Returns the number of changes so far. A change is the start or end of a job on one node;
    // change(at) returns the node of change `at`, counted from 0. For a machine of n nodes, only
    // the last n changes are kept.
    std::size_t n_changes() const { return n_changes_; }
    std::int32_t change(std::size_t at) const { return changes_[at % changes_.size()]; }

  private:
    static std::size_t index(std::int32_t node) { return static_cast<std::size_t>(node); }
    std::vector<Running>::iterator find(JobId job);
    void note_change(std::int32_t node) { changes_[n_changes_++ % changes_.size()] = node; }

    const SlurmCluster* cluster_;
    std::vector<Amounts> free_;                // indexed by node
    std::vector<std::vector<Tenant>> tenants_; // jobs on each node, sorted by key
    std::vector<Running> running_;             // sorted by key
    std::vector<EndKey> key_of_;               // indexed by job
    std::vector<std::int32_t> changes_;        // the latest changes, in a ring buffer
    std::size_t n_changes_ = 0;
};

} // namespace slotwise
