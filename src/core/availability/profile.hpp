// The availability profile: free processors as a step function over future time.
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

// A step function from `origin` to the end of time. Points (time, free from then on) are sorted,
// and neighbours differ in value, unless promises start there. Points are stored in blocks of up to
// 64; each block has its smallest and largest value, so that a search can skip a block after one
// comparison. Spans are half open. With p points a change takes O(64 + p/64), a search O(p) at
// worst and mostly O(p/64). A negative value means that more is planned than the machine has.
//
//     100 processors, a running job of 60 that ends at 50, 80 promised at 50 for 20:
//     (0, 40) (50, 20) (70, 100);  earliest(30, 30, 0) = 0, earliest(30, 60, 0) = 70.
template <class Notes> class NotedProfile : public ProfileBlocks<Notes> {
    using Blocks = ProfileBlocks<Notes>;

  public:
    using Blocks::kHasLows, Blocks::locate, Blocks::origin, Blocks::split_at, Blocks::time;
    using typename Blocks::Position;

    NotedProfile(ProcCount processors, Time origin) : Blocks(processors, origin) {}

    // Copies the values. All that is free counts as freed since the last mark.
    template <class Other> static NotedProfile copy_of(const NotedProfile<Other>& other);

    // Discards everything before `now`, the new origin; never moves backwards.
    void advance(Time now);

    // Adds `change` processors on [from, to); origin <= from. Does nothing if to <= from.
    void add(Time from, Time to, ProcCount change);

    // Moves a plan of `processors` from [before, before + duration) to the earlier `start`.
    void move(Time start, Time before, Time duration, ProcCount processors);

    // Earliest start t >= from on the grid such that `processors` are free on [t, t + duration).
    // There is one if `processors` are free at the end of time. duration > 0, from >= origin.
    Time earliest(ProcCount processors, Time duration, Time from, const StartGrid& grid) const;

    // Result of a search for a start in the freed spans.
    struct EarlierStart {
        Time start = kNever;
        // If there is no start: no run that contains a freed span and begins before `horizon` is
        // longer.
        Time longest = 0;
        Time horizon = kNever;
    };

    // Earliest new start < before for a promise on [before, before + duration) that is counted in
    // the profile. The promise must fit there once moved, and the run of enough free processors
    // around it must contain an instant of a freed span for `processors`.
    EarlierStart earlier(ProcCount processors, Time duration, Time before,
                         const StartGrid& grid) const
        requires kHasLows;

    // Same; faster after a search or a move that ended at t.
    Position locate_near(Time t) const;
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
    template <class Visitor>
    void for_each_reached(Position p, Time to, Visitor&& visit) const
        requires(!kHasLows);

    // Calls `visit(point, from, to, value)` for each stretch of equal value in [from, to), which is
    // not empty; p = locate(from).
    template <class Visitor>
    void for_each_stretch(Position p, Time from, Time to, Visitor&& visit) const;

    // Sets a mark. Lows are counted from the mark before it.
    void mark()
        requires kHasLows;

    // Calls visit(at, from, to, low, value) for each stretch whose value is above its low; `at` is
    // the first point of the stretch.
    template <class Visitor>
    void for_each_opening(Visitor&& visit) const
        requires kHasLows;

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

    // Smallest, or largest, value on [from, to), which is not empty; from >= origin.
    ProcCount least(Time from, Time to) const;
    ProcCount most(Time from, Time to) const;

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
    using Blocks::add_to_all, Blocks::add_within, Blocks::at, Blocks::blocks_, Blocks::drop_block;
    using Blocks::enough, Blocks::join_if_small, Blocks::kSlack, Blocks::last_value;
    using Blocks::locate_in, Blocks::merge_at, Blocks::refresh, Blocks::spare_, Blocks::spare_slot;
    using Blocks::split, Blocks::summary_, Blocks::value;
    using typename Blocks::Block, typename Blocks::Summary;

    // Adds `change` from `at` up to the next step.
    struct Step {
        Time at;
        ProcCount change;
    };

    Time run_start(Position p, std::uint64_t lacks, ProcCount processors) const;
    Time run_end(Position p, std::uint64_t lacks, ProcCount processors) const;
    bool add_in_block(Position p, std::span<const Step> steps);
    void rewrite(Position from, std::span<const Step> steps);
    mutable Position near_{}; // start of the last run found, or of the last freed span
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
void NotedProfile<Notes>::for_each_stretch(Position p, Time from, Time to, Visitor&& visit) const {
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
        // Bit i: the point after the point i.
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
void NotedProfile<Notes>::for_each_opening(Visitor&& visit) const
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
