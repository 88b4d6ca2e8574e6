// The plan of a torus on which each job takes consecutive nodes: the nodes that are free now, and
// the spans that are planned from now on.
//
// Example with 10 nodes, first fit: job A holds [0, 4) until 100, and job B holds [6, 8) until 50.
// A job on 5 nodes fits nowhere now. Its earliest start is 50, on [4, 9). With that span reserved,
// a job on 2 nodes for 40 s fits on [4, 6), because it ends by 50, but a job on 2 nodes for 90 s
// fits nowhere.
#pragma once

#include "machine/torus/covered_slots.hpp"
#include "machine/torus/node_interval.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// Consecutive nodes during a half-open span of time.
struct IntervalSpan {
    Time from;
    Time to;
    NodeInterval nodes;

    bool operator==(const IntervalSpan&) const = default;
};

// The spans of running jobs begin now. The other spans, called spans ahead, are announced
// downtimes, reservations and promises. Spans ahead may begin later and may overlap one another.
class IntervalPlan {
  public:
    IntervalPlan(NodeCount nodes, Allocation allocation, Time origin);

    NodeCount nodes() const { return planned_.slots().nodes(); }
    Time now() const { return now_; }
    void advance(Time now);
    void set_allocation(Allocation allocation) { allocation_ = allocation; }

    // Returns the nodes that are free now.
    const Slots& slots() const {
        put_back();
        return now_slots_.slots();
    }

    // Returns an upper bound: no job on more nodes than this fits now.
    NodeCount largest() const { return largest_; }

    // Takes nodes now for a job, a downtime or a reservation, or frees them again. The plan for
    // later times does not change.
    void hold_now(NodeInterval nodes);
    void free_now(NodeInterval nodes);

    // Adds to the plan a running job that uses these nodes until `end`, or removes the job.
    void plan_running(NodeInterval nodes, Time end);
    void forget_running(NodeInterval nodes, Time end);

    // Adds a span ahead (a downtime, reservation or promise) to the plan, or removes it.
    void add(const IntervalSpan& span);
    void remove(const IntervalSpan& span);

    // Returns nodes for a job that starts now and lasts `length`, which may be 0. The result is
    // empty if no nodes fit.
    NodeInterval find_now(NodeCount size, Time length);

    // Returns true if these nodes are free now and stay free for `length`, according to the plan.
    bool is_free_now(NodeInterval nodes, Time length);

    // Returns the earliest start at or after `from` according to the plan, or kNever if there is
    // none. Requires `length` > 0. found() returns the nodes for this start.
    Time earliest(NodeCount size, Time length, Time from);
    NodeInterval found() const { return found_; }

    // Returns nodes that, according to the plan, are free during all of [from, to). The result is
    // empty if there are none.
    NodeInterval find(NodeCount size, Time from, Time to);

    // Returns true if nothing in the plan overlaps the span. An equal span in the plan counts as
    // overlapping.
    bool has_room(const IntervalSpan& span) const;

    // Returns the nodes that the allocation rule chooses among the free slots.
    NodeInterval choose(const Slots& slots, NodeCount size) const;

    // Returns the slots that no running job occupies. A caller may change them for its own search,
    // but must restore them.
    CoveredSlots& beside_running() { return planned_; }

    // Returns the spans ahead (downtimes, reservations and promises), sorted by begin time.
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
    mutable CoveredSlots now_slots_; // nodes that are free now, except those of spans set aside
    NodeCount largest_;
    std::vector<Running> running_;    // ascending by end and nodes
    std::vector<IntervalSpan> ahead_; // spans sorted by begin, end and nodes
    // Number of spans in ahead_ that are set aside from now_slots_.
    mutable std::size_t n_aside_ = 0;

    // Nodes not used by running jobs; during a search, the nodes that are free at the start being
    // tried.
    CoveredSlots planned_;
    // State of a search:
    std::size_t n_ended_ = 0; // number of jobs in running_ whose nodes are free in planned_
    // The spans of ahead_ whose nodes are not free in planned_: a heap with the earliest end first.
    std::vector<Running> covered_;
    NodeInterval found_;
};

} // namespace slotwise
