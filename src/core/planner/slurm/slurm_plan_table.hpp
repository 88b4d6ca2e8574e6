// Plans of waiting jobs over time: for each span between two changes, the nodes without a plan.
//
// Example: at 0, a plan holds node 1 from 60 to 120. The spans 0-60 and 120-… have all nodes; the
// span 60-120 has all except node 1. A job of 60 s may not use node 1 at 0. It would end as the
// plan begins, and a plan must begin after the job's end.
#pragma once

#include "containers/node_bits.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmPlanTable {
  public:
    explicit SlurmPlanTable(std::int32_t n_nodes)
        : n_words_(NodeBits(n_nodes).size()), mask_(n_nodes),
          plans_of_(static_cast<std::size_t>(n_nodes)) {}

    // Removes all plans. The first span begins at `now`; the last one ends at `end`.
    void begin(Time now, Time end);

    // Adds a plan on `nodes`, and merges the first two equal spans next to it, as Slurm does.
    void add(Time from, Time to, const std::vector<std::int32_t>& nodes);

    // Removes from `nodes` those that a plan holds between `from` and `to`, both included.
    void keep_free(Time from, Time to, NodeBits& nodes) const;

    // Words of the set of nodes that no plan holds at `time`.
    const std::uint64_t* free_at(Time time) const { return bits(span_at(time)); }

    // True if no plan holds the node from `from` to `to`, both included.
    bool is_free(Time from, Time to, std::int32_t node) const {
        const std::vector<Hold>& holds = plans_of_[static_cast<std::size_t>(node)];
        return std::none_of(holds.begin(), holds.end(),
                            [&](const Hold& hold) { return hold.begin <= to && hold.end > from; });
    }

    // The next time after `from` at which a span frees one of `nodes` that a plan holds in the span
    // before it; kNever if there is none. The last span considered is the second that begins after
    // `to`.
    Time next_freed(Time from, Time to, const NodeBits& nodes) const;

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
    struct Hold { // of a node by a plan
        Time begin;
        Time end;
    };

    const std::uint64_t* bits(std::size_t at) const { return bits_.data() + spans_[at].bits; }
    Time end_of(std::size_t at) const {
        return at + 1 < spans_.size() ? spans_[at + 1].begin : end_;
    }
    const std::uint64_t* bits_so_far(std::size_t at) const { return bits(at) + n_words_; }
    bool frees(std::size_t at, const NodeBits& nodes) const;
    void hold(Time from, Time to, const std::vector<std::int32_t>& nodes);
    void split(Time at);
    std::size_t span_at(Time time) const;
    void merge_one(Time from, Time to);

    std::size_t n_words_;
    Time end_ = 0;
    std::int64_t n_made_ = 1;
    bool begins_at_once_ = false; // a plan begins with the first span
    std::vector<Span> spans_;
    // Two sets of nodes per span: without a plan in it, and without one in any span up to it.
    std::vector<std::uint64_t> bits_;
    NodeBits mask_;                           // nodes of the plan being added
    std::vector<std::vector<Hold>> plans_of_; // by node
    std::vector<std::int32_t> held_;          // nodes with plans
};

} // namespace slotwise
