// Plan of a torus whose jobs take consecutive nodes: nodes free now, and spans held from now on.
//
// Example, 10 nodes, first fit: A holds [0, 4) until 100, B holds [6, 8) until 50. A job on 5 nodes
// fits nowhere now. Its earliest start is 50, on [4, 9). With that span reserved, a job on 2 nodes
// for 40 s fits on [4, 6), because it ends by 50; a job for 90 s fits nowhere.
#pragma once

#include "machine/torus/covered_slots.hpp"
#include "machine/torus/node_interval.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// Nodes over a span of time, half open. Job numbers name running jobs.
struct IntervalSpan {
    Time from;
    Time to;
    NodeInterval nodes;

    bool operator==(const IntervalSpan&) const = default;
};

// Spans of running jobs begin now. Spans ahead are announced downtimes, reservations and promises,
// which may begin later and may overlap one another.
class IntervalPlan {
  public:
    IntervalPlan(NodeCount nodes, Allocation allocation, Time origin);

    NodeCount nodes() const { return planned_.slots().nodes(); }
    Time now() const { return now_; }
    void advance(Time now);
    void set_allocation(Allocation allocation) { allocation_ = allocation; }

    // Nodes that are free now.
    const Slots& slots() const {
        put_back();
        return now_slots_.slots();
    }

    // Upper bound: no job on more nodes fits now.
    NodeCount largest() const { return largest_; }

    // Takes nodes now for a job, a downtime or a reservation, or returns them. The plan for later
    // times does not change.
    void hold_now(NodeInterval nodes);
    void free_now(NodeInterval nodes);

    // Plans the nodes of a running job until `end`, or withdraws that plan.
    void plan_running(NodeInterval nodes, Time end);
    void forget_running(NodeInterval nodes, Time end);

    // Adds a span ahead, or removes it.
    void add(const IntervalSpan& span);
    void remove(const IntervalSpan& span);

    // Nodes for a job that starts now and lasts `length`, which may be 0; empty if there are none.
    NodeInterval find_now(NodeCount size, Time length);

    // True if these nodes are free now and stay free for `length`, according to the plan.
    bool is_free_now(NodeInterval nodes, Time length);

    // Earliest start from `from` on, according to the plan; kNever if there is none. `length` > 0.
    // found() returns its nodes.
    Time earliest(NodeCount size, Time length, Time from);
    NodeInterval found() const { return found_; }

    // Nodes that, according to the plan, are free on all of [from, to); empty if there are none.
    NodeInterval find(NodeCount size, Time from, Time to);

    // True if nothing planned overlaps the span; an equal span counts as overlapping.
    bool has_room(const IntervalSpan& span) const;

    // Nodes that the allocation chooses among free slots.
    NodeInterval choose(const Slots& slots, NodeCount size) const;

    // Slots that no running job occupies. A caller may change them for its own search, and must
    // restore them.
    CoveredSlots& beside_running() { return planned_; }

    // Spans ahead, sorted by begin.
    const std::vector<IntervalSpan>& ahead() const { return ahead_; }

  private:
    struct Running {
        Time end;
        NodeInterval nodes;
    };

    void put_back() const;
    void set_aside_for(Time length);
    void cover(const IntervalSpan& span);
    void drop_until(Time time);
    NodeInterval finish_search(NodeInterval nodes);

    Allocation allocation_;
    Time now_;
    mutable CoveredSlots now_slots_; // free now, minus the spans set aside
    NodeCount largest_;
    std::vector<Running> running_;    // ascending by end and nodes
    std::vector<IntervalSpan> ahead_; // ascending by begin, end and nodes
    mutable std::size_t n_aside_ = 0; // number of spans in ahead_ set aside from now_slots_

    CoveredSlots planned_; // without the nodes of running jobs, except during a search
    // State of a search:
    std::size_t n_ended_ = 0;      // number of jobs in running_ whose nodes are free in planned_
    std::vector<Running> covered_; // spans ahead that planned_ excludes: a heap, earliest end first
    NodeInterval found_;
};

} // namespace slotwise
