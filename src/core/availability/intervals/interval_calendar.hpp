// Nodes of a torus that the calendar makes unavailable or reserves for certain users.
//
// Example with 10 nodes: an outage of 4 nodes from time 100 to 200 takes the last four, nodes 6 to
// 9. If it is a drain, no job with an estimated end after 100 starts on these nodes. The nodes are
// available again at 200, unless another outage also takes them.
#pragma once

#include "availability/intervals/interval_plan.hpp"
#include "machine/torus/covered_slots.hpp"
#include "machine/torus/torus.hpp"
#include "replay/schedule.hpp"
#include "site/calendar.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Returns the chosen nodes as ascending intervals, no two of which are adjacent. These are either
// the named nodes, or the last nodes that together have `processors` processors. If `processors` is
// 0, all nodes are chosen.
std::vector<NodeInterval> intervals_of(const Torus& torus, const NodeChoice& choice,
                                       ProcCount processors);

// A node is unavailable, or reserved, as long as at least one window that affects it is open.
class IntervalCalendar {
  public:
    // `site` must come from completed(), must have a torus, and must outlive this object.
    IntervalCalendar(const Site& site, Time origin);

    // Plans the announced windows (drains and reservations) that begin before `time`. Returns true
    // if there were any. Throws ReplayError if there are too many.
    bool reach(Time time, IntervalPlan& plan) { return next_ < time && announce(time, plan); }

    void begin_outage(std::uint32_t index, Time time, IntervalPlan& plan);
    void end_outage(std::uint32_t index, Time time, IntervalPlan& plan);
    const std::vector<NodeInterval>& taken(std::uint32_t index) const { return outages_[index]; }

    // Takes these nodes out of service for repair at `time`, or puts them back.
    void begin_repair(NodeInterval nodes, Time time, IntervalPlan& plan);
    void end_repair(NodeInterval nodes, Time time, IntervalPlan& plan);

    // Returns all changes in the number of processors on available nodes. The list is empty if no
    // node was ever unavailable.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

    void begin_reservation(std::uint32_t index, Time time, IntervalPlan& plan);
    void end_reservation(std::uint32_t index, IntervalPlan& plan);
    bool is_open(std::uint32_t index) const { return until_[index] != kNever; }
    Time until(std::uint32_t index) const { return until_[index]; }
    const std::vector<NodeInterval>& kept(std::uint32_t index) const { return kept_[index]; }

    // Returns true if the span is the open window of this reservation, on one of its node
    // intervals.
    bool is_window_of(std::uint32_t index, const IntervalSpan& span) const;

  private:
    struct Announced {
        Recurrence windows;
        std::vector<NodeInterval> nodes;
        Time next; // start of the first window not yet planned
    };

    void note(const Recurrence& windows, const std::vector<NodeInterval>& nodes, Time origin);
    bool announce(Time before, IntervalPlan& plan);
    void check_ahead(Time now, Time before) const;
    void take_away(NodeInterval nodes, int sign, IntervalPlan& plan);
    void note_capacity(Time time);

    const Site* site_;
    std::vector<std::vector<NodeInterval>> outages_; // one element per outage
    std::vector<std::vector<NodeInterval>> kept_;    // one element per reservation
    std::vector<Time> until_; // end of each reservation's open window, or kNever
    std::vector<Announced> announced_;
    Time next_ = kNever;   // earliest `next` of all announced windows
    CoveredSlots present_; // available nodes
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
