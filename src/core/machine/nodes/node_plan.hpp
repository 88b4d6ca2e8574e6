// Free amounts of every node over time, given running jobs (until their estimated ends) and
// reservations.
//
// Example: nodes 0 and 1 have 4 cores each. A job with one unit of 3 cores runs on node 0 until 50.
// Two units of 2 cores for 10 s fit immediately, both on node 1; three fit at 50, two of them on
// node 0 and one on node 1. A unit never spans two nodes: if each node runs a unit of 1 core, a
// unit of 4 cores waits although 6 cores are free.
//
// Identical nodes are examined as one group. The plan also stores the sums over all nodes: a time
// at which the sums do not suffice is skipped without examining nodes. It also stores the idle
// stretches of nodes, which suffice for units that take whole nodes.
#pragma once

#include "machine/nodes/free_steps.hpp"
#include "machine/nodes/node_groups.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class NodePlan {
  public:
    // Everything is free from `origin` on.
    NodePlan(std::shared_ptr<const Nodes> nodes, Time origin);

    const Nodes& nodes() const { return *nodes_; }

    // All later queries and changes must be for `now` or later.
    void advance(Time now) { groups_.advance(now); }

    // The units of a job occupy their places over [begin, end), or vacate them; an end of kNever
    // means forever. No node may occur twice, and a unit must take some of the first resource, the
    // cores.
    void occupy(std::span<const Place> places, const Amounts& each, Time begin, Time end) {
        change(places, each, begin, end, -1);
    }
    void vacate(std::span<const Place> places, const Amounts& each, Time begin, Time end) {
        change(places, each, begin, end, 1);
    }

    // True if all units fit over [from, from + duration); duration >= 1 here and below.
    bool fits(const UnitDemand& demand, Time from, Time duration) const;

    // The first start in [from, before) at which all units fit, or kNever.
    Time earliest(const UnitDemand& demand, Time duration, Time from, Time before = kNever) const;

    // The first start in [from, until) for a job that gives back its places `own` at `given_back`,
    // at or after `until`; kNever if there is none.
    Time earlier(const UnitDemand& demand, Time duration, Time from, Time until, Time given_back,
                 std::span<const Place> own) const;

    // The first time at or after `from` at which all units fit. Requires that nothing in the plan
    // begins later than `from`; the free amounts of every node then only grow.
    Time earliest_rising(const UnitDemand& demand, Time from) const;

    // False only if the sums over all nodes show that a job that gives back its places at
    // `given_back` cannot start in [from, until).
    bool may_start(const UnitDemand& demand, Time duration, Time from, Time until,
                   Time given_back) const;

    // Same as may_start(), for one unit of the job on any node of `places`; `own` lists the places
    // that the job has.
    bool may_use(const UnitDemand& demand, Time duration, std::span<const Place> places, Time from,
                 Time until, Time given_back, std::span<const Place> own) const;

    // True if a unit takes all cores of every node that could hold it. earliest() and earlier()
    // then read only idle stretches, and take about as long as may_start() and may_use().
    bool takes_whole_nodes(const UnitDemand& demand) const;

    // Chooses places for a job that fits, and lists them by ascending node.
    void place(const UnitDemand& demand, Time from, Time duration, PlacementRule rule,
               std::vector<Place>& places) const;

    const Amounts& free(std::int32_t node, Time time) const {
        const FreeSteps& steps = groups_[groups_.of(node)].steps;
        return steps.free(steps.at(time));
    }
    const Amounts& free(Time time) const { return sum_.free(sum_.at(time)); }

  private:
    struct Change {
        Time time;
        std::int64_t units;
    };

    // Nodes of a group, whose room is tracked as the start moves.
    struct Followed {
        const NodeGroups::Group& group;
        std::int64_t nodes;
        std::int32_t own; // units on each node that are given back
    };
    struct Moves { // a start that moves within [from, until)
        const UnitRoom& room;
        Time duration;
        Time from;
        Time until;
        Time given_back;
    };

    void change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                std::int64_t sign);
    Time earliest_sum(const Moves& start) const;
    bool only_whole() const;
    std::int64_t follow_all(const Moves& start, std::span<const Place> own) const;
    std::int64_t follow_idle(const Moves& start, std::span<const Place> own) const;
    void look_at_classes(const UnitRoom& room) const;
    std::int32_t least_room(std::size_t group, const UnitRoom& room, Time from, Time to) const;
    std::int64_t follow_group(const Moves& start, std::size_t group, std::int64_t nodes,
                              std::int32_t own) const;
    std::int64_t follow_one(const Moves& start, const Followed& followed) const;
    std::int64_t follow(const Moves& start, const Followed& followed) const;
    std::int64_t rise(const UnitRoom& room, const NodeGroups::Group& group, Time from) const;
    Time reaching(std::int64_t room, std::int32_t units) const;
    double left_over(std::size_t group, const UnitDemand& demand, std::int32_t units,
                     Time from) const;

    std::shared_ptr<const Nodes> nodes_;
    std::vector<std::int32_t> first_; // first node of each class; then the number of nodes
    NodeGroups groups_;
    FreeSteps sum_;

    // Buffers used during one query.
    mutable std::vector<Change> changes_;
    mutable std::vector<std::int32_t> rooms_;
    mutable std::vector<std::size_t> least_;
    mutable std::vector<std::int32_t> room_of_; // one per group
    mutable std::vector<std::uint8_t> looked_;  // one per group
    mutable std::vector<UnitRoom::OnClass> on_class_;
    mutable std::vector<std::int32_t> own_; // per group: nodes with units of the queried job
};

} // namespace slotwise
