// The plan of the nodes: the free amounts of every node over time, given the running jobs (until
// their estimated ends) and the reservations.
//
// Example: nodes 0 and 1 have 4 cores each. A job with one unit of 3 cores runs on node 0 until 50.
// A job with two units of 2 cores fits immediately, with both units on node 1. A job with three
// such units fits at 50, with two units on node 0 and one on node 1. A unit never spans two nodes:
// if each node runs a unit of 1 core, a unit of 4 cores has to wait although 6 cores are free.
//
// Identical nodes are examined together as one group. The plan also stores the free amounts summed
// over all nodes: if the sums are insufficient at some time, that time is skipped without examining
// nodes. In addition, the plan stores the spans over which nodes are idle. For units that take
// whole nodes, only these need to be examined.
#pragma once

#include "machine/nodes/demands/planned_demand.hpp"
#include "machine/nodes/fitting_spans.hpp"
#include "machine/nodes/free_steps.hpp"
#include "machine/nodes/node_groups.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class NodePlan {
  public:
    using Full = NodeGroups::Full;

    // At first, all resources are free from `origin` onwards. With Full::takes_all, free() may
    // return too little for a node whose cores are all taken.
    NodePlan(std::shared_ptr<const Nodes> nodes, Time origin, Full full = Full::takes_its_own);

    const Nodes& nodes() const { return *nodes_; }

    // All later queries and changes must be for times from `now` onwards.
    void advance(Time now) { groups_.advance(now); }

    // occupy() records that the units of a job occupy their places over [begin, end); vacate()
    // records that they no longer do. An end of kNever means forever. No node may occur twice in
    // `places`, and each unit must take some cores (the first resource).
    void occupy(std::span<const Place> places, const Amounts& each, Time begin, Time end) {
        change(places, each, begin, end, -1);
    }
    void vacate(std::span<const Place> places, const Amounts& each, Time begin, Time end) {
        change(places, each, begin, end, 1);
    }

    // Returns true if all units fit throughout [from, from + duration). Here and below, `duration`
    // must be at least 1.
    bool fits(const PlannedDemand& asked, Time from, Time duration) const;

    // Returns the first start in [from, before) at which all units fit, or kNever if there is none.
    Time earliest(const PlannedDemand& asked, Time duration, Time from, Time before = kNever) const;

    // Returns the first start in [from, until) to which a job in the plan can be moved, or kNever
    // if there is none. The plan contains the job on the places `own` from `given_back` onwards.
    // The move would free these places, so they count as free. Requires given_back >= until.
    Time earlier(const PlannedDemand& asked, Time duration, Time from, Time until, Time given_back,
                 std::span<const Place> own) const;

    // Returns the first time at or after `from` at which all units fit. Nothing in the plan may
    // begin later than `from`, so the free amounts of a node never decrease after that time.
    Time earliest_rising(const PlannedDemand& asked, Time from) const;

    // Returns false only if the free amounts summed over all nodes prove that the job cannot start
    // in [from, until). The plan already contains the job, from `given_back` onwards.
    bool may_start(const PlannedDemand& asked, Time duration, Time from, Time until,
                   Time given_back) const;

    // Same as may_start(), but tests whether one unit of the job could run on any of the nodes in
    // `places`. `own` lists the places that the job has from `given_back` onwards.
    bool may_use(const PlannedDemand& asked, Time duration, std::span<const Place> places,
                 Time from, Time until, Time given_back, std::span<const Place> own) const;

    // Calls visit(span) for each span of time over which a node in `places` has a free core
    // or, if `idle` is true, is idle. Visits only spans that overlap with [begin, end).
    template <class Visit>
    void visit_free(std::span<const Place> places, Time begin, Time end, bool idle,
                    Visit&& visit) const;

    // Chooses places for a job that fits, and lists them in ascending order of nodes.
    void place(const PlannedDemand& asked, Time from, Time duration,
               std::vector<Place>& places) const;

    // Moves a job from its current start `from` to an earlier start `to` at which it fits. The
    // units of the job must take whole nodes. The result is the same as after calling vacate(),
    // place() and occupy(), in this order.
    void move(const PlannedDemand& asked, Time duration, Time from, Time to,
              std::vector<Place>& places);

    AmountsView free(std::int32_t node, Time time) const {
        const FreeSteps& steps = groups_[groups_.of(node)].steps;
        return steps.free(steps.at(time));
    }
    AmountsView free(Time time) const { return sum_.free(sum_.at(time)); }

  private:
    struct Change {
        Time time;
        std::int64_t units;
    };

    // Some nodes of a group. The search tracks how many units fit on them as the start of the job
    // moves.
    struct Followed {
        const NodeGroups::Group& group;
        std::int64_t nodes;
        std::int32_t own; // units that the job has on each node from given_back onwards
    };
    struct Moves { // the starts in [from, until), which are searched in order
        const PlannedDemand& asked;
        Time duration;
        Time from;
        Time until;
        Time given_back;
    };

    void change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                std::int64_t sign);
    static Amounts a_core() {
        Amounts each;
        each.set(0, 1);
        return each;
    }
    Time earliest_sum(const Moves& start) const;
    std::int64_t follow_all(const Moves& start, std::span<const Place> own) const;
    std::int64_t follow_idle(const Moves& start, std::span<const Place> own) const;
    std::int32_t least_room(std::size_t group, const PlannedDemand& asked, Time from,
                            Time to) const;
    std::int64_t follow_group(const Moves& start, std::size_t group, std::int64_t nodes,
                              std::int32_t own) const;
    std::int64_t follow_one(const Moves& start, const Followed& followed) const;
    std::int64_t follow(const Moves& start, const Followed& followed) const;
    std::int64_t rise(const UnitRoom& room, const NodeGroups::Group& group, Time from) const;
    Time reaching(std::int64_t room, std::int32_t units) const;
    // A request for places over [from, to). If the plan already contains the job, it has the places
    // `own` from given_back onwards, and these count as free.
    struct Wanted {
        const PlannedDemand& asked;
        Time from;
        Time to;
        std::span<const Place> own;
        Time given_back;
    };
    void compare_places(std::span<const Place> places);
    void find_places(const Wanted& wanted, std::vector<Place>& places) const;
    template <class Visit>
    void visit_room(std::size_t node_class, const Wanted& wanted, Visit&& visit) const;
    void place_in_order(const Wanted& wanted, std::vector<Place>& places) const;
    void place_best(const Wanted& wanted, std::vector<Place>& places) const;

    std::shared_ptr<const Nodes> nodes_;
    std::vector<std::int32_t> first_; // first node of each class; last entry: number of nodes
    NodeGroups groups_;
    FreeSteps sum_;
    UnitRoom a_core_{UnitDemand{1, a_core()}};

    // Buffers used during one query or change.
    std::vector<Place> own_places_;
    std::vector<Place> kept_;
    std::vector<Place> joined_;
    std::vector<Place> left_;
    mutable std::vector<std::int32_t> own_room_of_; // one per group
    mutable std::vector<Change> changes_;
    mutable std::vector<std::int32_t> rooms_;
    mutable std::vector<std::size_t> least_;
    mutable std::vector<std::int32_t> room_of_; // one per group
    mutable std::vector<std::uint8_t> looked_;  // one per group
    mutable std::vector<std::int32_t> own_;     // per group: number of nodes that the job uses
};

template <class Visit>
void NodePlan::visit_free(std::span<const Place> places, Time begin, Time end, bool idle,
                          Visit&& visit) const {
    looked_.assign(groups_.size(), 0);
    begin = std::max(begin, groups_.now());
    for (const Place place : places) {
        const std::size_t group = groups_.of(place.node);
        if (std::exchange(looked_[group], std::uint8_t{1}) != 0) continue;
        visit_idle_spans(groups_[group], a_core_, idle, groups_.now(), [&](Time from, Time to) {
            if (from < end && to > begin) visit(IdleSpan{from, to});
            return to < end;
        });
    }
}

} // namespace slotwise
