// The availability profile: the number of free processors as a step function over future time.
#pragma once

#include "availability/start_grid.hpp"
#include "containers/compare_block.hpp"
#include "types.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// A step function from `origin` to the end of time. The points (time, number of free processors
// from then on) are sorted, and the values of neighbouring points differ. Points are stored in
// blocks of up to 64. Each block stores its smallest and largest value, so that a search can skip a
// block after one comparison. All spans are half open. With p points, a change takes O(64 + p/64);
// a search takes O(p) in the worst case, and mostly O(p/64). A negative value means that more is
// planned than the machine has.
//
// Example with 100 processors: a running job on 60 ends at 50, and 80 processors are promised at 50
// for 20 s:
//     (0, 40) (50, 20) (70, 100);  earliest(30, 30, 0) = 0, earliest(30, 60, 0) = 70.
//
// The profile also records the low of every instant: its smallest value since the second-to-last
// mark. Where the value is at least n but the low is less than n, n processors have become free.
// Such a stretch is a freed span.
class Profile {
  public:
    Profile(ProcCount processors, Time origin);

    // Discards everything before `now`, which becomes the new origin and never decreases.
    void advance(Time now);

    // Adds `change` to the number of free processors on [from, to). Requires origin <= from. Does
    // nothing if to <= from.
    void add(Time from, Time to, ProcCount change);

    // Moves a planned use of `processors` processors from [before, before + duration) to the
    // earlier time `start`.
    void move(Time start, Time before, Time duration, ProcCount processors);

    // Returns the earliest start t >= from on the grid such that `processors` processors are free
    // on [t, t + duration). There is always one if that many are free at the end of time. Requires
    // duration > 0 and from >= origin.
    Time earliest(ProcCount processors, Time duration, Time from, const StartGrid& grid) const;

    // The result of a search for a start in the freed spans.
    struct EarlierStart {
        Time start = kNever;
        // If there is no earlier start, no run that contains a freed span and begins before
        // `horizon` is longer than this.
        Time longest = 0;
        Time horizon = kNever;
    };

    // Returns the earliest new start before `before` for a promise on [before, before + duration)
    // that is counted in the profile. The promise must fit there once it is moved. The run of
    // enough free processors around the new start must contain an instant of a freed span for
    // `processors` processors.
    EarlierStart earlier(ProcCount processors, Time duration, Time before,
                         const StartGrid& grid) const;

    // Returns the start of the run of `processors` free processors that contains the instant just
    // before t. Returns t if fewer are free at that instant. Requires t > origin.
    Time run_up_to(Time t, ProcCount processors) const;

    // Sets a mark. The lows are then counted from the mark before this one.
    void mark();

    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Calls visit(at, from, to, low, value) for each stretch whose value is above its low. `at` is
    // the first point of the stretch.
    template <class Visitor> void for_each_opening(Visitor&& visit) const {
        for (std::size_t b = 0; b < summary_.size(); ++b) {
            const Summary& s = summary_[b];
            if (!s.raised) continue;
            const Time end = b + 1 < summary_.size() ? summary_[b + 1].first : kNever;
            const Block& block = blocks_[s.slot];
            std::uint64_t opened =
                lanes_above(block.value.data(), s.lift - s.low_lift, block.low.data(), block.count);
            for (; opened != 0; opened &= opened - 1) {
                const auto i = static_cast<std::uint32_t>(std::countr_zero(opened));
                const Time until = i + 1 < block.count ? block.time[i + 1] : end;
                visit(Position{b, i}, block.time[i], until, block.low[i] + s.low_lift,
                      block.value[i] + s.lift);
            }
        }
    }

    struct Run {
        Time from;
        Time to;
    };

    // Returns the longest stretch around the point p in which `processors` processors are free.
    // They must be free at p itself.
    Run run_around(Position p, ProcCount processors) const;

    // A span in which a change has freed processors.
    struct Freed {
        Time from;
        Time to;
        ProcCount below; // smallest value while the processors were taken
        ProcCount most;  // largest value in the span now
        Run run;         // the run around the span with more than `below` free processors
    };

    // Describes the span [from, to), which must not be empty, and to which the last change added
    // `change`.
    Freed freed(Time from, Time to, ProcCount change) const;

    struct Point {
        Time time;
        ProcCount free;
    };

    // Returns the first instant at or after `from` with fewer than `processors` free processors,
    // and the value at that instant. The time is kNever if there is no such instant. Requires from
    // >= origin.
    Point first_below(Time from, ProcCount processors) const;

    // Return the smallest and the largest value on [from, to), which must not be empty. Requires
    // from >= origin.
    ProcCount least(Time from, Time to) const;
    ProcCount most(Time from, Time to) const;

    Time origin() const { return summary_[0].first; }
    std::size_t n_blocks() const { return summary_.size(); }
    std::size_t n_points() const;

    // Calls visit(time, free) in order for every point, beginning with some point at or before
    // `from`. Requires from >= origin.
    template <class Visitor> void for_each_from(Time from, Visitor&& visit) const {
        for (std::size_t b = locate(from).block; b < summary_.size(); ++b) {
            const Summary& s = summary_[b];
            const Block& block = blocks_[s.slot];
            for (std::uint32_t i = 0; i < block.count; ++i)
                visit(block.time[i], static_cast<ProcCount>(block.value[i] + s.lift));
        }
    }

  private:
    // Lanes after the last one that may be read and written.
    static constexpr std::uint32_t kSlack = 7;

    struct Block {
        std::uint32_t count = 0;
        std::array<Time, kLanes + kSlack> time;
        // Values are stored after subtracting the lift of their block.
        std::array<ProcCount, kLanes + kSlack> value;
        std::array<ProcCount, kLanes + kSlack> low; // smallest value since the second-to-last mark
        std::array<ProcCount, kLanes + kSlack> next_low; // smallest value since the last mark

        // Copies the points [begin, end) into the block `into`, from index `at` on.
        void copy_to(Block& into, std::uint32_t begin, std::uint32_t end, std::uint32_t at) const;

        // Inserts a point at time `t` after the point at `index`, with the same values.
        void insert_after(std::uint32_t index, Time t);

        void erase(std::uint32_t index);
    };
    struct Summary {
        Time first;
        ProcCount lo; // lower bound of the values
        ProcCount hi; // upper bound of the values
        ProcCount lift = 0;
        ProcCount low_lift = 0;
        ProcCount next_lift = 0;
        std::uint32_t slot;       // index in blocks_
        bool raised = false;      // some value may be above its low
        bool next_raised = false; // some value may be above its next low
        bool loose = false;       // lo and hi may be wider than the values
    };
    // A change of the value that applies from `at` up to the next step.
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

    Position locate(Time t) const;
    Position locate_in(std::size_t block, Time t) const;
    Position locate_near(Time t) const; // same as locate(), but faster if t is close to near_
    Time run_start(Position p, std::uint64_t lacks, ProcCount processors) const;
    Time run_end(Position p, std::uint64_t lacks, ProcCount processors) const;
    Time time(Position p) const { return at(p.block).time[p.index]; }
    bool add_in_block(Position p, std::span<const Step> steps);
    void rewrite(Position from, std::span<const Step> steps);
    std::uint32_t spare_slot();
    Position split_at(Time t);
    void merge_at(Time t);
    void split_block(std::size_t block);
    void drop_block(std::size_t block);
    void join_if_small(std::size_t block);
    void refresh(std::size_t block);
    void add_to_all(std::size_t block, ProcCount change);
    void add_within(std::size_t block, std::uint32_t from, std::uint32_t to, ProcCount change);
    void lower_lows(std::size_t block, std::uint32_t from, std::uint32_t to);

    std::vector<Block> blocks_;        // storage, in no particular order
    std::vector<std::uint32_t> spare_; // unused indices in blocks_
    std::vector<Summary> summary_;     // one element per block, in order of time
    mutable Position near_{};          // start of the run found last, or of the last freed span
};

} // namespace slotwise
