// Finds the earliest time at which a job can start on given nodes, assuming that running jobs end
// at their limits.
//
// Under select/linear, running jobs end one by one. Under select/cons_tres, jobs that end at
// similar times form a group, and a waiting job starts when the last job of a group ends. Example:
// there are two nodes, whose jobs end at 100 and 110. A job on one node starts at 100 under
// select/linear, and at 110 under select/cons_tres.
#pragma once

#include "planner/slurm/nodes/slurm_choice.hpp"
#include "planner/slurm/nodes/slurm_room_times.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmSearch {
  public:
    SlurmSearch(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                const std::vector<SlurmRequest>& requests, const SlurmRules& rules);
    SlurmSearch(const SlurmSearch& other, const SlurmCluster& cluster,
                const SlurmOccupancy& occupancy, const std::vector<SlurmRequest>& requests);

    // Returns true if the job can start now on some of the `allowed` nodes; chosen() then returns
    // its nodes. Nodes of lower weight come first, even under select/linear. Also resets the GPU
    // weights of the `usable` nodes, some of which may still be completing.
    bool starts(std::uint32_t request, const NodeBits& allowed, const NodeBits& usable);

    // Returns the earliest start, which is `now` if possible; chosen() then returns the nodes. If
    // the start is later, choose_found() must be called before chosen(). Returns kNever if there is
    // no start.
    Time earliest(std::uint32_t request, const NodeBits& allowed, Time now) {
        return earliest_by(request, allowed, now, kNever).time;
    }

    // earliest_by() returns the earliest start, but stops if too few nodes have room by `later`. It
    // then sets `is_short` to true.
    struct Earliest {
        Time time;
        bool is_short;
    };
    Earliest earliest_by(std::uint32_t request, const NodeBits& allowed, Time now, Time later);

    // Returns true if earliest_by() found a start after `now` without choosing nodes, because any
    // of the counted nodes will do.
    bool is_choice_open() const { return is_choice_open_; }
    // Chooses the nodes for the start that earliest_by() found, unless it has chosen them.
    void choose_found(std::uint32_t request);

    // Returns true for a job with one unit per node under select/linear. For such a job, it is
    // enough to count nodes.
    bool counts_nodes(std::uint32_t request) const {
        return cluster_->linear && (*requests_)[request].one_unit_per_node;
    }
    // Requires counts_nodes(). Returns the earliest time at which enough `allowed` nodes have room
    // for the job, or kNever if that time is after `later`. The nodes are not chosen yet.
    Time count_by(std::uint32_t request, const NodeBits& allowed, Time now, Time later);
    // Continues count_by() after nodes have been removed from `allowed` and too few of the counted
    // ones are left.
    Time count_on(std::uint32_t request, const NodeBits& allowed, Time now, Time later);
    // Also counts all other nodes that have room by `later`.
    void count_all(std::uint32_t request, const NodeBits& allowed, Time later) {
        add_room(times_[times_of_[request]], allowed, end_key(later + 1, 0) - 1);
    }
    // Returns the counted nodes.
    const NodeBits& counted() const { return with_room_; }
    void choose_counted(std::uint32_t request) {
        choice_.choose(*cluster_, *occupancy_, gpu_weights_, (*requests_)[request], with_room_,
                       kFreeNow);
    }

    // Resets the weights of nodes, as Slurm does when a job is submitted.
    void submit(std::uint32_t request, std::uint32_t partition) {
        gpu_weights_.set_as_submitted(*cluster_, (*requests_)[request],
                                      cluster_->partitions[partition].nodes);
    }
    const SlurmGpuWeights& gpu_weights() const { return gpu_weights_; }
    void set_gpu_weights(const std::vector<std::int32_t>& values) {
        gpu_weights_.set_values(values);
    }

    // Returns the time at which the next running job reaches its limit, or `now` if one has already
    // done so.
    Time same_until(Time now) const;

    const SlurmChoice& chosen() const { return choice_; }
    const SlurmRequest& request(std::uint32_t number) const { return (*requests_)[number]; }

  private:
    SlurmRoomTimes& times(std::uint32_t request);
    Earliest earliest_on(std::uint32_t request, const NodeBits& allowed, Time now, Time later);
    bool is_enough(const SlurmRequest& request, const NodeBits& with_room, EndKey until) const;
    Time after_single_ends(const SlurmRequest& request, SlurmRoomTimes& times,
                           const NodeBits& allowed, Time now, EndKey needed);
    Time after_groups(const SlurmRequest& request, SlurmRoomTimes& times, const NodeBits& allowed,
                      Time now, EndKey needed);
    Time last_group(const SlurmRequest& request, SlurmRoomTimes& times, const NodeBits& allowed,
                    Time now);
    std::size_t next_on(const NodeBits& allowed, std::uint64_t words, std::size_t from) const;
    std::size_t last_until(Time time) const;
    Time expected(Time end, Time now) const;
    EndKey needed_end(const SlurmRoomTimes& times, const NodeBits& allowed, std::int32_t missing,
                      EndKey until);
    EndKey needed_by_blocks(SlurmRoomTimes& times, const NodeBits& allowed, std::int32_t n_needed,
                            EndKey until);
    void add_room(SlurmRoomTimes& times, const NodeBits& allowed, EndKey until);
    bool choose_light(const SlurmRequest& request);
    bool uses(const SlurmOccupancy::Running& running, const NodeBits& allowed,
              std::uint64_t words) const;
    bool choose(const SlurmRequest& request, const NodeBits& allowed, const NodeBits& with_room,
                EndKey until);
    bool choose_until(const SlurmRequest& request, SlurmRoomTimes& times, const NodeBits& allowed,
                      EndKey until);

    const SlurmCluster* cluster_;
    const SlurmOccupancy* occupancy_;
    const std::vector<SlurmRequest>* requests_;
    Time window_step_; // seconds by which search windows grow; 0: they double
    Time overdue_;     // seconds for which a job that has passed its limit is expected to continue
    std::vector<std::uint32_t> times_of_; // for each request, its position in times_
    std::vector<SlurmRoomTimes> times_;
    SlurmChoice choice_;
    SlurmGpuWeights gpu_weights_;
    NodeBits with_room_;
    bool is_choice_open_ = false;
    EndKey open_until_ = kFreeNow; // if is_choice_open_: time by which chosen nodes must have room
    // Nodes are considered for with_room_ in order of their times. This is the number considered so
    // far.
    std::size_t n_seen_ = 0;
};

} // namespace slotwise
