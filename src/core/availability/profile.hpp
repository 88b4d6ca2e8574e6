// The availability profile: free processors as a step function over future time.
#pragma once

#include "availability/start_grid.hpp"
#include "containers/compare_block.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slotwise {

// A step function from `origin` to the end of time. Points (time, free from then on) are sorted,
// and neighbours differ in value or have starts. Points are stored in blocks of up to 64; each block
// has its smallest and largest value, so that a search can skip a block after one comparison. Spans
// are half open. With p points a change takes O(64 + p/64), a search O(p) at worst and mostly
// O(p/64). A negative value means that more is planned than the machine has.
//
//     100 processors, a running job of 60 that ends at 50, 80 promised at 50 for 20:
//     (0, 40) (50, 20) (70, 100);  earliest(30, 30, 0) = 0, earliest(30, 60, 0) = 70.
//
// A point may also record the promises that start there. It then remains, whatever its value.
class Profile {
  public:
    Profile(ProcCount processors, Time origin);

    // Discards everything before `now`, the new origin; never moves backwards.
    void advance(Time now);

    // Adds `change` processors on [from, to); origin <= from. Does nothing if to <= from.
    void add(Time from, Time to, ProcCount change);

    // Moves a plan of `processors` from [before, before + duration) to the earlier `start`.
    void move(Time start, Time before, Time duration, ProcCount processors);

    // Earliest start t >= from on the grid such that `processors` are free on [t, t + duration).
    // There is one if `processors` are free at the end of time. duration > 0, from >= origin.
    Time earliest(ProcCount processors, Time duration, Time from, const StartGrid& grid) const;

    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Promises that start at one instant.
    struct Starts {
        static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

        std::uint32_t first = kNone; // number of the first, given by the caller
        ProcCount narrowest = std::numeric_limits<ProcCount>::max(); // least processors of any
    };

    // Last point at or before t >= origin.
    Position locate(Time t) const;
    // Same; faster after a search or a move that ended at t.
    Position locate_near(Time t) const;
    Time time(Position p) const { return at(p.block).time[p.index]; }
    Starts starts(Position p) const {
        const Block& b = at(p.block);
        return {b.first[p.index], b.narrowest[p.index]};
    }
    void set_starts(Position p, const Starts& starts) {
        at(p.block).set_starts(p.index, starts);
    }
    // Makes t >= origin a point unless it is one.
    Position split_at(Time t);
    // Free processors just before a point that is not the first.
    ProcCount value_before(Position p) const {
        return p.index > 0 ? value({p.block, p.index - 1}) : last_value(p.block - 1);
    }

    struct Run {
        Time from;
        Time to;
    };

    // Start of the run of `processors` free that contains the instant before t > origin; t if that
    // instant has less.
    Time run_up_to(Time t, ProcCount processors) const;
    // Same for the instant before the point p, which has enough.
    Time run_up_to(Position p, ProcCount processors) const;

    // Longest stretch around the point p in which `processors` are free, as they are at p.
    Run run_around(Position p, ProcCount processors) const;

    // Calls `visit(run)` for each run of `processors` free that contains an instant between the
    // point p and `to`, in order of time, until it returns true. time(p) < to.
    template <class Visitor>
    void for_each_run(Position p, Time to, ProcCount processors, Visitor&& visit) const;

    // Calls `visit(point, starts, free)` for each point up to `to` behind p with promises of which
    // one needs no more processors than are free just before it.
    template <class Visitor> void for_each_reached(Position p, Time to, Visitor&& visit) const;

    // Calls `visit(point, from, to, value)` for each stretch of equal value in [from, to), which is
    // not empty; p = locate(from).
    template <class Visitor>
    void for_each_stretch(Position p, Time from, Time to, Visitor&& visit) const;

    // A span that is no longer taken.
    struct Freed {
        Time from;
        Time to;
        ProcCount below; // smallest value while taken
        ProcCount most;  // largest value now in the span
        Run run;         // around the span, with more than `below` free
    };

    // Describes [from, to), which is not empty and to which the last change added `change`;
    // p = locate(from).
    Freed freed(Position p, Time from, Time to, ProcCount change) const;

    // Makes the bounds of all blocks exact again; moves only widen them.
    void tighten();

    struct Point {
        Time time;
        ProcCount free;
    };

    // First instant at or after `from` >= origin with less than `processors` free, and the value
    // there. Its time is kNever if there is none.
    Point first_below(Time from, ProcCount processors) const;

    // Smallest value on [from, to), which is not empty; from >= origin.
    ProcCount least(Time from, Time to) const;

    Time origin() const { return summary_[0].first; }
    std::size_t n_blocks() const { return summary_.size(); }
    std::size_t n_points() const;

    // Calls visit(time, free) in order for every point from some point at or before `from` on;
    // from >= origin.
    template <class Visitor> void for_each_from(Time from, Visitor&& visit) const {
        for (std::size_t b = locate(from).block; b < summary_.size(); ++b) {
            const Summary& s = summary_[b];
            const Block& block = blocks_[s.slot];
            for (std::uint32_t i = 0; i < block.count; ++i)
                visit(block.time[i], static_cast<ProcCount>(block.value[i] + s.lift));
        }
    }

  private:
    static constexpr std::uint32_t kSlack = 7; // lanes past the last that may be read and written

    struct Block {
        std::uint32_t count = 0;
        std::array<Time, kLanes + kSlack> time;
        // Values are stored minus the block's lift.
        std::array<ProcCount, kLanes + kSlack> value;
        // Promises that start at the point.
        std::array<ProcCount, kLanes + kSlack> narrowest;
        std::array<std::uint32_t, kLanes + kSlack> first;

        void set_starts(std::uint32_t index, const Starts& starts) {
            first[index] = starts.first;
            narrowest[index] = starts.narrowest;
        }

        // Copies the points [begin, end) into a block, from index `at` on.
        void copy_to(Block& into, std::uint32_t begin, std::uint32_t end, std::uint32_t at) const;

        // Inserts a point at `t` behind the one at `index`, with the same value.
        void insert_after(std::uint32_t index, Time t);
    };
    struct Summary {
        Time first;
        ProcCount lo; // lower bound of the values
        ProcCount hi; // upper bound of the values
        ProcCount lift = 0;
        std::uint32_t slot; // index in blocks_
        bool loose = false; // lo and hi may lie outside the values
    };
    // Adds `change` from `at` up to the next step.
    struct Step {
        Time at;
        ProcCount change;
    };

    Block& at(std::size_t block) { return blocks_[summary_[block].slot]; }
    const Block& at(std::size_t block) const { return blocks_[summary_[block].slot]; }
    ProcCount value(Position p) const {
        return at(p.block).value[p.index] + summary_[p.block].lift;
    }
    std::uint64_t enough(std::size_t block, ProcCount processors) const {
        const Block& b = at(block);
        return lanes_at_least(b.value.data(), b.count, processors - summary_[block].lift);
    }

    ProcCount last_value(std::size_t block) const {
        return value({block, at(block).count - 1});
    }
    Position locate_in(std::size_t block, Time t) const;
    Time run_start(Position p, std::uint64_t lacks, ProcCount processors) const;
    Time run_end(Position p, std::uint64_t lacks, ProcCount processors) const;
    bool add_in_block(Position p, std::span<const Step> steps);
    void rewrite(Position from, std::span<const Step> steps);
    std::uint32_t spare_slot();
    Position split_at(Position p, Time t);
    void merge_at(Position p);
    void erase(Position p);
    void split_block(std::size_t block);
    void drop_block(std::size_t block);
    void join_if_small(std::size_t block);
    void refresh(std::size_t block);
    void add_to_all(std::size_t block, ProcCount change);
    void add_within(std::size_t block, std::uint32_t from, std::uint32_t to, ProcCount change);

    std::vector<Block> blocks_;        // storage, in no order
    std::vector<std::uint32_t> spare_; // unused indices in blocks_
    std::vector<Summary> summary_;     // one per block, in time order
    mutable Position near_{};          // start of the last run found, or of the last freed span
};

template <class Visitor>
void Profile::for_each_run(Position p, Time to, ProcCount processors, Visitor&& visit) const {
    for (;;) {
        const std::uint64_t fits = enough(p.block, processors);
        const std::uint64_t ahead = fits & ~first_lanes(p.index);
        if (ahead == 0) {
            do
                ++p.block;
            while (p.block < summary_.size() && summary_[p.block].hi < processors);
            if (p.block == summary_.size() || summary_[p.block].first >= to) return;
            p.index = 0;
            continue;
        }
        p.index = static_cast<std::uint32_t>(std::countr_zero(ahead));
        if (time(p) >= to) return;
        const std::uint64_t lacks = ~fits & first_lanes(at(p.block).count);
        const Run run{run_start(p, lacks, processors), run_end(p, lacks, processors)};
        if (visit(run) || run.to >= to) return;
        const std::uint64_t end = lacks & ~first_lanes(p.index);
        if (end != 0)
            p.index = static_cast<std::uint32_t>(std::countr_zero(end));
        else
            p = locate(run.to);
    }
}

template <class Visitor>
void Profile::for_each_stretch(Position p, Time from, Time to, Visitor&& visit) const {
    for (; p.block < summary_.size(); ++p.block, p.index = 0) {
        const Block& b = at(p.block);
        const Time end = p.block + 1 < summary_.size() ? summary_[p.block + 1].first : kNever;
        for (; p.index < b.count; ++p.index) {
            if (b.time[p.index] >= to) return;
            const Time until = p.index + 1 < b.count ? b.time[p.index + 1] : end;
            visit(p, std::max(b.time[p.index], from), std::min(until, to), value(p));
        }
    }
}

template <class Visitor>
void Profile::for_each_reached(Position p, Time to, Visitor&& visit) const {
    for (bool is_behind = false; p.block < summary_.size() && summary_[p.block].first <= to; ++p.block, p.index = 0, is_behind = true) {
        const Summary& s = summary_[p.block];
        const Block& b = at(p.block);
        const auto report = [&](std::uint32_t index, ProcCount before) {
            visit(Position{p.block, index}, Starts{b.first[index], b.narrowest[index]}, before);
        };
        if (is_behind && last_value(p.block - 1) >= b.narrowest[0])
            report(0, last_value(p.block - 1));
        // Bit i: the point after the point i.
        std::uint64_t reached =
            lanes_above(b.value.data(), s.lift + 1, b.narrowest.data() + 1, b.count - 1) &
            ~first_lanes(p.index);
        for (; reached != 0; reached &= reached - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(reached));
            if (b.time[i + 1] > to) return;
            report(i + 1, b.value[i] + s.lift);
        }
    }
}

} // namespace slotwise
