// The plans of waiting jobs over time. Time is divided into spans during which no plan begins or
// ends; each span stores the nodes that have no plan.
//
// Example: at 0, a plan holds node 1 from 60 to 120. The spans 0-60 and 120-… contain all nodes;
// the span 60-120 contains all nodes except node 1. A 60 s job may not use node 1 at 0: it would
// end exactly when the plan begins, but a plan must begin after the job's end.
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
        : cluster_(&cluster), n_words_(NodeBits(cluster.n_nodes()).size()) {}

    // Switches this copy to the cluster of its new planner.
    void rebind(const SlurmCluster& cluster) { cluster_ = &cluster; }

    // Removes all plans. The first span now begins at `now`, and the last one ends at `end`.
    void begin(Time now, Time end);

    // Adds a plan on `nodes`. Then merges the first pair of equal neighbouring spans in or next to
    // the plan, as Slurm does.
    void add(Time from, Time to, const std::vector<std::int32_t>& nodes);

    // Removes from `nodes` those that a plan holds at any time from the span `at` until `to`, both
    // included. Returns true if at least `n` nodes are left; otherwise, some of the nodes left may
    // still be held.
    bool keep_free(std::size_t at, Time to, std::int32_t n, NodeBits& nodes) const;

    // Removes from `nodes` those that a plan holds between `from` and `to`. The nodes must be known
    // to have no plan in the spans that begin by `known`. Returns true if any nodes were removed.
    bool keep_free_after(Time known, Time from, Time to, NodeBits& nodes) const;

    // Returns the position of the span that contains `time`, or of the first span if `time` is
    // earlier.
    std::size_t span_at(Time time) const;
    Time begin_of(std::size_t span) const { return spans_[span].begin; }

    // next_freed() returns the next span, after `span`, at whose beginning a node of the partition
    // becomes free. It returns kNoSpan if there is none. The last span considered is the second one
    // that begins after `to`.
    static constexpr std::size_t kNoSpan = ~std::size_t{0};
    std::size_t next_freed(std::size_t span, Time to, std::uint32_t partition);

    // Considers a window from `now` to `to` that moves forward with time. Returns the first time at
    // which its beginning or its end reaches another span, or kNever if there is none.
    Time same_until(Time now, Time to) const;

    // Returns the number of spans made since begin(), including spans that have been merged since
    // then. The number is one higher once a plan has been added that begins with the first span.
    std::int64_t n_made() const { return n_made_; }

    // Returns true if a plan holds any of `nodes` between `from` and `to`. The nodes must be known
    // to have no plan in the spans that begin by `known`.
    bool meets(Time from, Time to, Time known, const std::vector<std::int32_t>& nodes) const;

  private:
    struct Span {
        Time begin;
        std::uint32_t bits;  // position in `bits_`, in words
        std::uint32_t freed; // position in `freed_`
        bool may_free;       // true if a plan ends when the span begins
    };
    struct Part { // the nodes of a set that share a 64-bit word
        std::uint32_t word;
        std::uint64_t nodes;
    };
    enum Freed : std::uint8_t { unknown, none, some };

    const std::uint64_t* bits(std::size_t at) const { return bits_.data() + spans_[at].bits; }
    const std::uint64_t* bits_so_far(std::size_t at) const { return bits(at) + n_words_; }
    const std::uint64_t* bits_from_then(std::size_t at) const { return bits(at) + 2 * n_words_; }
    bool frees(std::size_t at, std::uint32_t partition) {
        Freed& known = freed_[spans_[at].freed + partition];
        if (known == Freed::unknown) known = compare(at, partition);
        return known == Freed::some;
    }
    Freed compare(std::size_t at, std::uint32_t partition) const;
    // Returns the first span that ends after `from` and begins after `known`. No span contains
    // times at or after the table's end.
    std::size_t span_after(Time known, Time from) const {
        if (from >= end_) return spans_.size();
        const std::size_t at = span_at(std::max(known, from));
        return spans_[at].begin <= known ? at + 1 : at;
    }
    void forget_freed(std::size_t at) {
        std::fill_n(freed_.data() + spans_[at].freed, cluster_->partitions.size(), Freed::unknown);
    }
    void hold(Time from, Time to, const std::vector<std::int32_t>& nodes);
    void remove_parts(std::uint64_t* words) const {
        for (const Part& part : parts_)
            words[part.word] &= ~part.nodes;
    }
    void split(Time at);
    void merge_one(Time from, Time to);

    const SlurmCluster* cluster_;
    std::size_t n_words_;
    Time end_ = 0;
    std::int64_t n_made_ = 1;
    bool begins_at_once_ = false; // true if a plan begins when the first span does
    std::vector<Span> spans_;
    static constexpr std::size_t kSets = 3;
    // Three sets of nodes for each span: those without a plan in the span, those without a plan in
    // any span up to it, and those without a plan in this span and all later ones.
    std::vector<std::uint64_t> bits_;
    std::vector<Freed> freed_; // for each span and partition, the known result of compare()
    std::vector<Part> parts_;  // nodes of the plan being added
};

} // namespace slotwise
