// The numbers of idle nodes and free cores of each node class over time, excluding those taken by
// count reservations.
//
// Example: a class has 3 nodes with 4 cores each, and a job holds 2 cores of one node until 50.
// Until then, 2 nodes are idle and 10 cores are free. A reservation of 1 node on [30, 60) leaves 1
// node and 6 cores on [30, 50), and 2 nodes and 8 cores on [50, 60).
#pragma once

#include "availability/freed_node_spans.hpp"
#include "availability/profile.hpp"
#include "machine/nodes/free_steps.hpp"
#include "machine/nodes/left_steps.hpp"
#include "machine/nodes/node_layout.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class NodeCounts {
  public:
    // `counts_cores` must be true if nodes may be shared, because cores must then be counted too.
    NodeCounts(const NodeLayout& layout, Time origin, bool counts_cores);

    void advance(Time now);

    // Reserves a number of whole nodes, or of cores, on [from, to). A negative number releases
    // them.
    void keep_nodes(std::size_t node_class, Time from, Time to, std::int32_t nodes);
    void keep_cores(std::size_t node_class, Time from, Time to, std::int32_t cores);

    // Returns true if the class has a count reservation now or later. keeps_within() returns true
    // if it has one within [from, to).
    bool keeps(std::size_t node_class) const { return keeps_within(node_class, now_, kNever); }
    bool keeps_within(std::size_t node_class, Time from, Time to) const {
        return std::any_of(kept_[node_class].begin(), kept_[node_class].end(),
                           [&](const Kept& kept) { return kept.from < to && kept.to > from; });
    }

    // Returns true if the class has a reservation of cores, even if that reservation has already
    // ended.
    bool keeps_cores(std::size_t node_class) const { return n_cores_kept_[node_class] > 0; }

    // Records that `cores` more cores are free on [from, to) on each of `nodes` nodes. `steps`
    // gives the free amounts of such a node before the change.
    void note_change(std::size_t node_class, const FreeSteps& steps, std::int32_t nodes,
                     std::int64_t cores, Time from, Time to);

    // The following functions return how many nodes or cores may still be taken for all of [from,
    // to). They require from < to.
    std::int32_t nodes_left(std::size_t node_class, Time from, Time to) const;
    std::int32_t cores_left(std::size_t node_class, Time from, Time to) const;

    // Returns the first instant at or after `from` at which every idle node of the class is
    // reserved, or kNever if there is none.
    Time first_without_idle(std::size_t node_class, Time from) const {
        return idle_[node_class].first_below(from, 1).time;
    }

    // Returns the number of changes made to the plan of the class so far.
    std::uint64_t n_changes(std::size_t node_class) const { return n_changes_[node_class]; }

    // Returns the smallest number of nodes that are idle at any instant of [from, to). The result
    // is negative if more nodes are reserved than exist.
    std::int32_t least_idle(std::size_t node_class, Time from, Time to) const {
        return idle_[node_class].least(from, to);
    }
    std::int32_t most_idle(std::size_t node_class, Time from, Time to) const {
        return idle_[node_class].most(from, to);
    }
    std::int32_t least_cores(std::size_t node_class, Time from, Time to) const {
        return counts_cores_ ? cores_[node_class].least(from, to) : kMost;
    }

    // Returns the first start at or after `from` at which `nodes` nodes are idle for `length`.
    // Requires that cores are not counted, and that at least `nodes` nodes are idle once the plan
    // ends.
    Time earliest(std::size_t node_class, std::int32_t nodes, Time length, Time from) const {
        return idle_[node_class].earliest(nodes, static_cast<Duration>(length), from, {});
    }
    bool counts_cores() const { return counts_cores_; }

    // Returns true if more nodes or cores are reserved than exist.
    bool is_overdrawn() const;

    // Counts nodes of the class as used until undo() is called.
    void use(std::size_t node_class, Time from, Time to, std::int32_t idle, std::int32_t cores);
    void undo();

    // Returns the number of whole nodes, or of cores, that are left in each class over time, from
    // now until at least `end`. The result is valid until the next call.
    const LeftSteps& nodes_over_time(const std::vector<std::size_t>& classes, Time end) {
        return left_over_time(classes, true, end);
    }
    const LeftSteps& cores_over_time(const std::vector<std::size_t>& classes, Time end) {
        return left_over_time(classes, false, end);
    }

    // Returns the spans of the plan in which nodes or cores have become free.
    FreedNodeSpans& freed() { return freed_; }

    // Returns, for each class, a number that identifies its current plan. When a change to the plan
    // is undone, the class gets its earlier number back.
    const std::vector<std::uint64_t>& states() const { return states_; }
    void note_undone(const std::vector<std::uint64_t>& states) { states_ = states; }

    // Appends the times later than `after` at which a count of the class changes.
    void list_changes(std::size_t node_class, Time after, std::vector<Time>& times) const;

  private:
    static constexpr std::int32_t kMost = 0x7FFFFFFF;

    struct Kept {
        Time from;
        Time to;
        std::int32_t number;
    };
    void note_kept(std::size_t node_class, const Kept& window);

    struct Use {
        std::size_t node_class;
        Time from;
        Time to;
        std::int32_t idle;
        std::int32_t cores;
    };

    bool counts_cores_;
    std::vector<Profile> idle_;            // one element per class
    std::vector<Profile> cores_;           // one element per class
    std::vector<std::int32_t> cores_each_; // for each class, the cores of one node
    // For each class, the periods in which a number of its nodes is reserved.
    std::vector<std::vector<Kept>> kept_;
    // For each class, the total number of cores in all reservations of cores.
    std::vector<std::int64_t> n_cores_kept_;
    std::vector<Use> used_; // calls of use() that undo() will reverse
    Time now_;

    void note_changed(std::size_t node_class) {
        ++n_changes_[node_class];
        states_[node_class] = ++newest_state_;
    }
    const LeftSteps& left_over_time(const std::vector<std::size_t>& classes, bool whole, Time end);
    void list_points(std::size_t node_class, bool whole, Time end,
                     LeftSteps::OfClass& points) const;

    struct Left {
        std::vector<std::size_t> classes;
        bool whole;
        std::vector<std::uint64_t> states; // states of these classes
        Time end;
        LeftSteps steps;
    };
    static constexpr std::size_t kMostLeft = 16;

    std::vector<Left> left_; // the last result for each set of classes
    std::size_t next_left_ = 0;
    std::vector<std::uint64_t> n_changes_; // indexed by class
    std::vector<std::uint64_t> states_;    // indexed by class
    std::uint64_t newest_state_ = 0;
    FreedNodeSpans freed_;
    std::vector<std::uint64_t> states_asked_; // scratch memory
    std::vector<LeftSteps::OfClass> points_;  // scratch memory
};

} // namespace slotwise
