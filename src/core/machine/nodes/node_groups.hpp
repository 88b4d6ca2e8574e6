// Groups of identical nodes. The nodes of a group belong to one class and have the same free
// amounts at every future time.
//
// Example: there are four nodes with 4 cores each. A job with two units of 3 cores runs on nodes 0
// and 1 until 50, so the groups are {0, 1} and {2, 3}. If another unit starts on node 1, that node
// becomes a group of its own. When this unit ends, nodes 0 and 1 form one group again.
#pragma once

#include "containers/chained_index.hpp"
#include "machine/nodes/free_steps.hpp"
#include "machine/nodes/idle_spans.hpp"
#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeGroups {
  public:
    struct Group {
        FreeSteps steps;
        std::vector<IdleSpan> idle; // time spans in which the nodes are idle, in order
        std::int32_t size;          // number of nodes; 0: the group does not exist
        std::size_t node_class;
    };

    // With Full::takes_all, units that take all cores of a node are stored as if they took the
    // whole node. Every unit takes a core, so nothing else fits on such a node. This makes more
    // nodes identical.
    enum class Full : std::uint8_t { takes_its_own, takes_all };

    NodeGroups(const Nodes& nodes, Time origin, Full full = Full::takes_its_own);

    Time now() const { return now_; }
    void advance(Time now);

    // change() changes the free amounts of the nodes over each span [begin, end), by `sign` times
    // the demand of the units on each node. Requires now() <= begin < end. There may be one or two
    // spans, in order of time, which must not touch. No node may occur twice in `places`.
    struct Span {
        Time begin;
        Time end;
        std::int64_t sign;
    };
    void change(std::span<const Place> places, const Amounts& each, std::span<const Span> spans);
    void change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                std::int64_t sign) {
        const Span span{begin, end, sign};
        if (begin < end) change(places, each, {&span, 1});
    }

    // Returns the spans of time over which nodes are idle, in no particular order.
    const std::vector<IdleSpans::Entry>& idle() const { return idle_.entries(); }

    std::size_t size() const { return groups_.size(); }
    const Group& operator[](std::size_t group) const { return groups_[group]; }
    std::size_t of(std::int32_t node) const {
        return static_cast<std::size_t>(group_of_[static_cast<std::size_t>(node)]);
    }

    std::span<const std::int32_t> of_nodes(std::int32_t begin, std::int32_t end) const {
        return std::span(group_of_).subspan(static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(end - begin));
    }

  private:
    // A part of a group: nodes that get the same number of units. `becomes` is the group that they
    // join.
    struct Part {
        std::int32_t group;
        std::int32_t units;
        std::int32_t count;
        std::int32_t next; // the next part of the group, or -1
        std::int32_t becomes;
    };
    struct Run { // consecutive places, up to position `end`, whose nodes are in the same part
        std::size_t end;
        std::int32_t part;
    };

    void divide(std::span<const Place> places);
    std::int32_t part_for(std::int32_t group, std::int32_t units);
    std::int32_t moved(const Part& part, FreeSteps::Changes changes);
    std::int32_t added(const Part& part);
    template <class Same>
    std::int32_t twin(std::uint64_t mark, std::size_t node_class, Same&& same) const;
    std::int32_t twin_after(const Group& group, FreeSteps::Changes changes) const;
    std::int32_t twin_of(const Group& group) const;
    void apply(std::int32_t group, FreeSteps::Changes changes);
    void note_idle(Group& group, Time begin, Time end) const;
    void recount_idle(std::span<const IdleSpan> before, const Group& group, std::int64_t nodes);

    std::vector<Amounts> capacity_; // capacity of a node of each class
    Full full_;
    Time now_;
    Time next_ = kNever; // no group's first step ends before this time
    std::vector<Group> groups_;
    std::vector<std::int32_t> group_of_; // one per node
    std::vector<std::int32_t> vacant_;   // groups of size 0

    ChainedIndex by_mark_; // groups that are not vacant, by FreeSteps::mark() of their steps
    IdleSpans idle_;

    // Buffers used during one change.
    std::vector<IdleSpan> was_idle_;
    std::vector<Part> parts_;
    std::vector<Run> runs_;
    std::vector<FreeSteps::Change> spans_;
    std::vector<std::int32_t> first_part_; // per group: its first part, or -1
    std::vector<std::int32_t> into_;       // per group: the group it has joined, or -1
};

} // namespace slotwise
