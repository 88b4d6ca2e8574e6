// Plans of waiting jobs over time: for each span between two changes, the nodes without a plan.
//
// Example: at 0, a plan holds node 1 from 60 to 120. The spans 0-60 and 120-… have all nodes; the
// span 60-120 has all except node 1. A job of 60 s may not use node 1 at 0. It would end as the
// plan begins, and a plan must begin after the job's end.
#pragma once

#include "containers/node_bits.hpp"
#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmPlanTable {
  public:
    explicit SlurmPlanTable(const SlurmCluster& cluster)
        : cluster_(&cluster), n_words_(NodeBits(cluster.n_nodes()).size()),
          mask_(cluster.n_nodes()) {}

    // Takes over the cluster of a copied planner.
    void rebind(const SlurmCluster& cluster) { cluster_ = &cluster; }

    // Removes all plans. The first span begins at `now`; the last one ends at `end`.
    void begin(Time now, Time end);

    // Adds a plan on `nodes`, and merges the first two equal spans next to it, as Slurm does.
    void add(Time from, Time to, const std::vector<std::int32_t>& nodes);

    // Removes from `nodes` those that a plan holds between `from` and `to`, both included.
    void keep_free(Time from, Time to, NodeBits& nodes) const;

    // The next time after `from` at which a span frees a node of the partition that a plan holds in
    // the span before it; kNever if there is none. The last span considered is the second that
    // begins after `to`.
    Time next_freed(Time from, Time to, std::uint32_t partition);

    // A window from `now` to `to` moves with time. Returns the first time at which its begin or its
    // end reaches another span; kNever if there is none.
    Time same_until(Time now, Time to) const;

    // Number of spans made since begin(), including those merged since.
    std::int64_t n_made() const { return n_made_; }

    // True if a plan holds some of `nodes` between `from` and `to`.
    bool meets(Time from, Time to, const std::vector<std::int32_t>& nodes) const;

  private:
    struct Span {
        Time begin;
        std::uint32_t bits; // position in `bits_`, in words
        bool may_free;      // a plan ends as the span begins
    };
    enum Freed : std::uint8_t { unknown, none, some };

    const std::uint64_t* bits(std::size_t at) const { return bits_.data() + spans_[at].bits; }
    Time end_of(std::size_t at) const {
        return at + 1 < spans_.size() ? spans_[at + 1].begin : end_;
    }
    const std::uint64_t* bits_so_far(std::size_t at) const { return bits(at) + n_words_; }
    bool frees(std::size_t at, std::uint32_t partition);
    Freed* freed(std::size_t at) {
        return freed_.data() + spans_[at].bits / (2 * n_words_) * cluster_->partitions.size();
    }
    void hold(Time from, Time to, const std::vector<std::int32_t>& nodes);
    void split(Time at);
    std::size_t span_at(Time time) const;
    void merge_one(Time from, Time to);

    const SlurmCluster* cluster_;
    std::size_t n_words_;
    Time end_ = 0;
    std::int64_t n_made_ = 1;
    bool begins_at_once_ = false; // a plan begins with the first span
    std::vector<Span> spans_;
    // Two sets of nodes per span: without a plan in it, and without one in any span up to it.
    std::vector<std::uint64_t> bits_;
    std::vector<Freed> freed_; // by span and partition: nodes held in the span before it
    NodeBits mask_;            // nodes of the plan being added
};

} // namespace slotwise
