// The availability profile: free processors as a step function over the time to come.
#pragma once

#include "schedule/lanes.hpp"
#include "types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace slotwise {

// The instants at which a job may be planned to start: every second, or the multiples of a period from `base`.
struct StartGrid {
    Time base = 0;
    Time period = 1;

    // The first such instant at or after `t`; t >= base.
    Time at_or_after(Time t) const {
        if (period == 1) return t;
        const Time past = (t - base) % period;
        return past == 0 ? t : t + (period - past);
    }
};

// A step function from `origin` to the end of time. Points (time, free from then on) are sorted, no two neighbours are
// equal in value, and they lie in blocks of up to 64 that know their smallest and largest value, so that a search skips
// a block in one comparison. Spans are half open. With p points: change O(64 + p/64), searches O(p) at worst and mostly
// O(p/64). The value may be negative, where more is planned than the machine has.
//
//     100 processors, a running job of 60 that ends at 50, 80 promised at 50 for 20:
//     (0, 40) (50, 20) (70, 100);  earliest(30, 30, 0) = 0, earliest(30, 60, 0) = 70.
class Profile {
  public:
    Profile(ProcCount processors, Time origin);

    // Forgets what lies before `now`, the new origin; never backwards.
    void advance(Time now);

    // Adds `change` processors on [from, to); origin <= from, and nothing happens where to <= from.
    void add(Time from, Time to, ProcCount change);

    // The earliest start t >= from on the grid such that `processors` are free on [t, t + duration). Such a t exists
    // where `processors` are free in the end; duration > 0, from >= origin.
    Time earliest(ProcCount processors, Time duration, Time from, const StartGrid& grid) const;

    // For something planned at [before, before + duration) and counted in the profile: the earliest start t < before such
    // that the window would fit were it moved there and that the stretch of enough free processors holding t also
    // holds an instant of [from, to); kNever if there is none.
    Time earlier(ProcCount processors, Time duration, Time before, Time from, Time to,
                 const StartGrid& grid) const;

    // The smallest and the largest value on [from, to), which is not empty; from >= origin.
    ProcCount least(Time from, Time to) const;
    ProcCount most(Time from, Time to) const;

    Time origin() const { return first_[0]; }
    std::size_t n_points() const;

    // Calls visit(time, free) for every point in order.
    template <class Visitor> void for_each(Visitor&& visit) const {
        for (std::size_t b = 0; b < slot_.size(); ++b) {
            const Block& block = blocks_[slot_[b]];
            for (std::uint32_t i = 0; i < block.count; ++i)
                visit(block.time[i], static_cast<ProcCount>(block.value[i] + lift_[b]));
        }
    }

  private:
    struct Block {
        std::uint32_t count = 0;
        std::array<Time, kLanes> time;
        std::array<ProcCount, kLanes> value;  // less the block's lift
    };
    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    Block& at(std::size_t block) { return blocks_[slot_[block]]; }
    const Block& at(std::size_t block) const { return blocks_[slot_[block]]; }
    ProcCount value(Position p) const { return at(p.block).value[p.index] + lift_[p.block]; }
    std::uint64_t enough(std::size_t block, ProcCount processors) const {
        const Block& b = at(block);
        return lanes_at_least(b.value.data(), b.count, processors - lift_[block]);
    }

    Position locate(Time t) const;
    Position locate_in(std::size_t block, Time t) const;
    Time run_start(Position p, ProcCount processors) const;
    Position split_at(Time t);
    void merge_at(Time t);
    void erase(Position p);
    void split_block(std::size_t block);
    void drop_block(std::size_t block);
    void join_if_small(std::size_t block);
    void refresh(std::size_t block);
    void add_within(std::size_t block, std::uint32_t from, std::uint32_t to, ProcCount change);

    std::vector<Block> blocks_;         // storage, in no order
    std::vector<std::uint32_t> spare_;  // of blocks_, not in use
    // One element a block, in time order.
    std::vector<std::uint32_t> slot_;  // in blocks_
    std::vector<Time> first_;
    std::vector<ProcCount> lo_;
    std::vector<ProcCount> hi_;
    std::vector<ProcCount> lift_;
};

}  // namespace slotwise
