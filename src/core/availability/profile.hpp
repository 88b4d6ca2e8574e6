// The availability profile: the number of free processors as a step function over future time.
#pragma once

#include "availability/profile_blocks.hpp"
#include "availability/start_grid.hpp"
#include "containers/compare_block.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slotwise {

// A step function from `origin` to the end of time. A point consists of a time and the number of
// processors that are free from then on. Points are sorted by time. Neighbouring points differ in
// value, unless promises start at the later one. Points are stored in blocks of up to 64. Each
// block stores bounds on its values, so that a search can skip the block after one comparison. Time
// spans are half open. With p points, a change takes O(64 + p/64) time; a search takes at most O(p)
// time, and usually O(p/64). A negative value means that more processors are planned than the
// machine has.
//
// Example with 100 processors: a running job on 60 processors ends at 50, and a job of 20 s on 80
// processors is promised a start at 50. The points are (0, 40), (50, 20) and (70, 100). Then
// earliest(30, 30, 0) returns 0, and earliest(30, 60, 0) returns 70.
template <class Notes> class NotedProfile : public ProfileBlocks<Notes> {
    using Blocks = ProfileBlocks<Notes>;

  public:
    using Blocks::kHasLows, Blocks::locate, Blocks::origin, Blocks::split_at, Blocks::time;
    using typename Blocks::Position;

    NotedProfile(ProcCount processors, Time origin) : Blocks(processors, origin) {}

    // Returns a profile with the same values. All free processors count as freed since the last
    // mark.
    template <class Other> static NotedProfile copy_of(const NotedProfile<Other>& other);

    // Makes `now` the new origin and discards everything before it. Does nothing if `now` is before
    // the origin.
    void advance(Time now);

    // Adds `change` to the number of free processors on [from, to). Requires origin <= from. Does
    // nothing if to <= from.
    void add(Time from, Time to, ProcCount change);

    // Moves a reservation of `processors` processors from [before, before + duration) to the
    // earlier time `start`.
    void move(Time start, Time before, Time duration, ProcCount processors);

    // Returns the earliest start t >= from on the grid such that `processors` processors are free
    // on [t, t + duration). Requires that at least `processors` are free at the end of time,
    // duration > 0 and from >= origin.
    Time earliest(ProcCount processors, Time duration, Time from, const StartGrid& grid) const;

    // The result of searching the freed spans (freed_spans.hpp) for an earlier start.
    struct EarlierStart {
        Time start = kNever;
        // If no start was found: an upper bound on the length of the runs (see Run) that contain a
        // freed span and begin before `horizon`.
        Time longest = 0;
        Time horizon = kNever;
    };

    // Returns the earliest start to which a promise can move from its current start `before`. The
    // promise is included in the profile on [before, before + duration). The processors that the
    // promise itself holds count as free. Considers only starts in runs that contain a freed span.
    EarlierStart earlier(ProcCount processors, Time duration, Time before,
                         const StartGrid& grid) const
        requires kHasLows;

    // Returns the same position as locate(t), but faster if the last search or move ended at t.
    Position locate_near(Time t) const;

    // A maximal period in which at least a given number of processors is free.
    struct Run {
        Time from;
        Time to;
    };

    // Returns the start of the run with at least `processors` free processors that contains the
    // instant before t. Returns t if fewer are free at that instant. Requires t > origin.
    Time run_up_to(Time t, ProcCount processors) const;
    // Returns the start of the run that contains the instant before point p. At least `processors`
    // processors must be free at that instant.
    Time run_up_to(Position p, ProcCount processors) const;

    // Returns the longest span around point p in which at least `processors` processors are
    // free. Requires that this is the case at p.
    Run run_around(Position p, ProcCount processors) const;

    // Calls `visit(run)`, in chronological order, for each run with at least `processors` free
    // processors that contains an instant between point p and `to`. Stops when a call returns true.
    // Requires time(p) < to.
    template <class Visitor>
    void for_each_run(Position p, Time to, ProcCount processors, Visitor&& visit) const;

    // Calls `visit(point, starts, free)` for points after p, up to `to`, at which promises start.
    // Skips a point if all these promises need more processors than are free just before it.
    template <class Visitor>
    void for_each_reached(Position p, Time to, Visitor&& visit) const
        requires(!kHasLows);

    // Calls `visit(point, from, to, value)` for each span of constant value in [from, to). Requires
    // from < to; p must be locate(from).
    template <class Visitor>
    void for_each_idle_span(Position p, Time from, Time to, Visitor&& visit) const;

    // Sets a mark. From then on, the low of a point is its smallest value since the previous mark.
    void mark()
        requires kHasLows;

    // Calls visit(at, from, to, low, value) for each span whose value is above its low. `at` is
    // the first point of the span.
    template <class Visitor>
    void for_each_freed_span(Visitor&& visit) const
        requires kHasLows;

    // A span in which processors have been released.
    struct Freed {
        Time from;
        Time to;
        ProcCount below; // smallest value before the release
        ProcCount most;  // largest value now
        // The run of more than `below` free processors that contains the span.
        Run run;
    };

    // Describes the span [from, to), whose values the latest change increased by `change`. The span
    // must not be empty, and p must be locate(from).
    Freed freed(Position p, Time from, Time to, ProcCount change) const;

    // Makes the bounds of all blocks exact again, after moves have widened them.
    void tighten();

    struct Point {
        Time time;
        ProcCount free;
    };

    // Returns the first instant at or after `from` at which fewer than `processors` processors are
    // free, and the value at that instant. The time is kNever if there is no such instant. Requires
    // from >= origin.
    Point first_below(Time from, ProcCount processors) const;

    // The following functions return the smallest and the largest value on [from, to), which must
    // not be empty. They require from >= origin.
    ProcCount least(Time from, Time to) const;
    ProcCount most(Time from, Time to) const;

    // Calls visit(time, free), in chronological order, for every point after `from`, and for at
    // least one point at or before `from`. Requires from >= origin.
    template <class Visitor> void for_each_from(Time from, Visitor&& visit) const {
        for (std::size_t b = locate(from).block; b < summary_.size(); ++b) {
            const Summary& s = summary_[b];
            const Block& block = blocks_[s.slot];
            for (std::uint32_t i = 0; i < block.count; ++i)
                visit(block.time[i], static_cast<ProcCount>(block.value[i] + s.lift));
        }
    }

  private:
    using Blocks::add_to_all, Blocks::add_within, Blocks::at, Blocks::blocks_, Blocks::drop_block;
    using Blocks::enough, Blocks::join_if_small, Blocks::kSlack, Blocks::last_value;
    using Blocks::locate_in, Blocks::merge_at, Blocks::refresh, Blocks::spare_, Blocks::spare_slot;
    using Blocks::split, Blocks::summary_, Blocks::value;
    using typename Blocks::Block, typename Blocks::Summary;

    // The change applies from `at` until the next step.
    struct Step {
        Time at;
        ProcCount change;
    };

    Time run_start(Position p, std::uint64_t lacks, ProcCount processors) const;
    Time run_end(Position p, std::uint64_t lacks, ProcCount processors) const;
    bool add_in_block(Position p, std::span<const Step> steps);
    void rewrite(Position from, std::span<const Step> steps);
    mutable Position near_{}; // the start of the last run found, or of the last freed span
};

using Profile = NotedProfile<Lows>;
using PromiseProfile = NotedProfile<PlannedStarts>;

extern template class NotedProfile<Lows>;
extern template class NotedProfile<PlannedStarts>;

template <class Notes>
template <class Visitor>
void NotedProfile<Notes>::for_each_run(Position p, Time to, ProcCount processors,
                                       Visitor&& visit) const {
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

template <class Notes>
template <class Visitor>
void NotedProfile<Notes>::for_each_idle_span(Position p, Time from, Time to,
                                             Visitor&& visit) const {
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

template <class Notes>
template <class Visitor>
void NotedProfile<Notes>::for_each_reached(Position p, Time to, Visitor&& visit) const
    requires(!kHasLows)
{
    for (bool is_behind = false; p.block < summary_.size() && summary_[p.block].first <= to;
         ++p.block, p.index = 0, is_behind = true) {
        const Summary& s = summary_[p.block];
        const Block& b = at(p.block);
        const auto report = [&](std::uint32_t index, ProcCount before) {
            visit(Position{p.block, index}, Notes{b.first()[index], b.narrowest()[index]}, before);
        };
        if (is_behind && last_value(p.block - 1) >= b.narrowest()[0])
            report(0, last_value(p.block - 1));
        // Bit i is set if enough processors are free at point i for some promise at point i + 1.
        std::uint64_t reached =
            lanes_above(b.value.data(), s.lift + 1, b.narrowest().data() + 1, b.count - 1) &
            ~first_lanes(p.index);
        for (; reached != 0; reached &= reached - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(reached));
            if (b.time[i + 1] > to) return;
            report(i + 1, b.value[i] + s.lift);
        }
    }
}

template <class Notes>
template <class Visitor>
void NotedProfile<Notes>::for_each_freed_span(Visitor&& visit) const
    requires kHasLows
{
    for (std::size_t b = 0; b < summary_.size(); ++b) {
        const Summary& s = summary_[b];
        if (!s.notes.raised) continue;
        const Time end = b + 1 < summary_.size() ? summary_[b + 1].first : kNever;
        const Block& block = blocks_[s.slot];
        std::uint64_t opened = lanes_above(block.value.data(), s.lift - s.notes.low_lift,
                                           block.low().data(), block.count);
        for (; opened != 0; opened &= opened - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(opened));
            const Time until = i + 1 < block.count ? block.time[i + 1] : end;
            visit(Position{b, i}, block.time[i], until, block.low()[i] + s.notes.low_lift,
                  block.value[i] + s.lift);
        }
    }
}

} // namespace slotwise
