// Searches the nodes of a site for room for one job.
//
// Example: there are two nodes of 4 cores; one is busy until 50, and one of the two, no matter
// which, is reserved on [30, 90). A whole-node job for 20 s starts now. A whole-node job for 40 s
// would overlap the reservation, so it starts at 50.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// Nodes or cores that a reservation takes: either counts per class, or places in ascending order of
// nodes.
struct NodeHold {
    // Pairs of a class and a number of nodes or cores.
    std::vector<std::pair<std::size_t, std::int32_t>> numbers;
    std::vector<Place> places;

    friend bool operator==(const NodeHold& a, const NodeHold& b) {
        return a.numbers == b.numbers &&
               std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(),
                          [](const Place& one, const Place& other) {
                              return one.node == other.node && one.units == other.units;
                          });
    }
    void clear() {
        numbers.clear();
        places.clear();
    }
};

// Rules that determine which nodes a reservation uses, for jobs of one shape.
class HoldRules {
  public:
    HoldRules(const NodeState& state, const JobShape& shape) : state_(state), shape_(shape) {}

    // Returns the job's classes in the order in which the placement rule takes their idle nodes.
    std::vector<std::size_t> classes_in_order() const;

    // Returns true if the placement order never mixes classes, so that a whole class can be counted
    // in one step.
    bool counts_by_class() const;

    // Returns true if no reservation, and no planned downtime of named nodes, affects the job's
    // classes.
    bool is_unreserved() const;

    // Returns true if a count reservation in one of the job's classes overlaps [from, to).
    bool keeps_numbers(Time from, Time to) const;

    // The starts of other jobs that may change which nodes the reservation takes: none, only those
    // on idle nodes, or all.
    enum class MovedBy : std::uint8_t { nothing, starts_on_idle_nodes, starts };
    MovedBy moved_by() const;

  private:
    const NodeState& state_;
    const JobShape& shape_;
};

class NodeSearch {
  public:
    // A search changes the counts in `state`, and restores them afterwards.
    NodeSearch(NodeState& state, const JobShape& shape);

    // Finds places on which the job can start now and run for `length`. If `length` is 0, only the
    // current state matters.
    bool find_now(Time length, std::vector<Place>& places);

    // The following members describe why the last find_now() failed, if it did.
    static constexpr std::int64_t kUncounted = -1;
    struct Failure {
        // True if no order of nodes lets the job fit until nodes or cores are freed in its classes.
        bool lacks_room = false;
        // True if count reservations were the only obstacle on some node.
        bool depends_on_kept = false;
        // True if count reservations determined the nodes on which the units were placed. After
        // another job has started, the units may be placed on other nodes, and may then fit.
        bool depends_on_order = false;
        // The number of units that fit on the nodes in that search (considering each node on its
        // own), or an upper bound on that number. When something is freed on a node, the number
        // grows by at most the room on that node.
        std::int64_t units_with_room = kUncounted;
    };
    const Failure& failure() const { return failure_; }

    // Finds places on which the job can start now and run for `length`. The job's previous
    // reservation `kept`, which is no longer in the plan, is counted as available to it.
    bool find_now(Time length, const NodeHold& kept, std::vector<Place>& places);

    // Returns the number of units that fit on the node from now on for `length`. If `length` is 0,
    // only the current state matters.
    std::int32_t room_now(std::int32_t node, Time length) {
        return room_on(node, {state_.now(), state_.now() + length, true});
    }

    // Returns true if the job fits on these places from now on for `length` without breaking a
    // count reservation.
    bool fits_on(const std::vector<Place>& places, Time length) {
        return leaves_room(places, {state_.now(), state_.now() + length, true});
    }

    // Returns the largest number of units that fit if `nodes` nodes are chosen from `offers`, or -1
    // if there are too few offers.
    static std::int64_t most_on(std::vector<Place> offers, std::int32_t nodes);

    // Discards stored results, because the plan has changed.
    void forget() { room_of_.clear(); }

    // Returns the first start in [from, until], or kNever if there is none. Requires length > 0.
    Time earliest(Time length, Time from, Time until = kNever);

    // Tests whether a promise may start earlier. The promise is in the plan on [from, to) and takes
    // `hold`. Returns false only if the promise certainly cannot start by `until`, which must be
    // before `from`. After this call, the object must not be used for further searches.
    bool may_move(const NodeHold& hold, Time from, Time to, Time until);

    // Determines what a reservation on [from, to) would take. Returns false if the job does not fit
    // in this period.
    bool hold(Time from, Time to, NodeHold& hold);

    // Returns true if this reservation, which is not in the plan, would fit on [from, to).
    bool has_room(const NodeHold& hold, Time from, Time to);

  private:
    struct Period {
        Time from;
        Time to;
        bool starts; // true if the job starts now, on resources that are free now
    };

    bool may_start() const;
    bool fits(Time from, Time to);
    std::int32_t nodes_left(std::size_t node_class, Time from, Time to) const;
    std::int32_t room_of_group(std::size_t group, Time from, Time to);
    std::int32_t room_on(std::int32_t node, const Period& period);
    bool may_share(std::int32_t node, const Period& period) const;
    bool has_units(Time from, Time to);
    bool is_free_of_kept(Time from, Time to) const;

    // A time at which the job may begin to fit, and the number of units by which the room on the
    // nodes grows then. The number is negative if the room shrinks.
    struct Candidate {
        Time time;
        std::int64_t units;

        bool operator>(const Candidate& other) const { return time > other.time; }
    };
    Time first_fitting(Time length, Time from, Time until);
    Time earliest_whole(Time length, Time from, Time until);
    std::int64_t list_candidates(Time from, Time until);
    Time next_candidate(Time after);
    Time earliest_shared(Time length, Time from, Time until);

    // For each class, the number of units that may be placed in it.
    using Budget = std::vector<std::int32_t>;
    bool budget_now(Time length, Budget& budget) const;
    bool take_whole(const Period& period, Budget& budget, std::vector<Place>& places);
    bool take_shared(const Period& period, Budget* budget, std::vector<Place>& places);
    bool take_on_nodes(const Period& period, std::vector<Place>& places);
    std::int32_t allowed(std::int32_t node, std::int32_t units, const Period& period);
    std::int32_t allowed_on(std::size_t group, std::int32_t units, const Period& period);
    bool has_group_for_unit(const Period& period);
    bool is_one_unit() const;
    void forget_kept();
    bool leaves_kept_cores(const Period& period) const;
    const std::vector<std::int32_t>& ordered(const Period& period);
    template <class Visitor> void visit_in_order(const Period& period, Visitor&& visit);
    bool hold_by_node(const Period& period, NodeHold& hold);
    bool hold_by_class(Time from, Time to, NodeHold& hold);
    bool leaves_room(const std::vector<Place>& places, const Period& period);

    NodeState& state_;
    const JobShape& shape_;
    const HoldRules rules_;
    const UnitRoom room_;
    // For each group, the number of units for which it had room in the last period; -1 if unknown.
    std::vector<std::int32_t> room_of_;
    Time room_from_ = 0;
    Time room_to_ = 0;
    std::vector<IdleSpan> idle_within_; // idle spans of a node within the period of a search
    // For each group, 1 if a unit would break a count reservation.
    std::vector<std::uint8_t> is_refused_;
    // For each class, the cores left in the period; -1 if not looked up.
    std::vector<std::int32_t> cores_left_;
    std::vector<std::int32_t> order_;   // order of nodes, if it differs from the shape's order
    std::vector<Candidate> candidates_; // remaining candidates, in a search for the earliest start
    std::int64_t units_then_ = 0;       // units that fit on the nodes at the last candidate
    int n_taken_ = 0;                   // number of candidates taken so far
    Time before_ = kNever;              // earliest_shared() ignores the plan from this time on
    Failure failure_;
};

} // namespace slotwise
