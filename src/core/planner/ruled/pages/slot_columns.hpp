// Stores the rank, processors and length of the front in each slot. Slots are stored in pages of
// sixteen, which are compared together.
//
// Example: the fronts in page 1 have the ranks 5, 7 and 9, and request 4, 5 and 4 processors. With
// 4 processors free, least_within() compares all of them together and returns rank 5. slot_of()
// then finds this rank in slot 16.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/ruled/pages/front_minima.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlotColumns {
  public:
    using Slot = std::size_t;
    using PageNumber = std::uint32_t;
    using Value = SixteenMinima::Value;
    static constexpr Slot kNoSlot = SIZE_MAX;
    static constexpr std::size_t kPage = backfill::kGroup;

    // Changes the number of slots. New slots are closed.
    void resize(std::size_t n_slots);

    Value rank(Slot slot) const { return ranks_[slot]; }
    FrontMinima at(Slot slot) const { return {ranks_[slot], processors_[slot], lengths_[slot]}; }
    void set_rank(Slot slot, Value rank) { ranks_[slot] = rank; }
    void set(Slot slot, const FrontMinima& values) {
        ranks_[slot] = values.rank;
        processors_[slot] = values.processors;
        lengths_[slot] = values.length;
    }

    FrontMinima minima_of(PageNumber page) const {
        FrontMinima minima;
        for (Slot slot = page * kPage; slot < (page + 1) * kPage; ++slot)
            minima.take(at(slot));
        return minima;
    }

    // Returns a bit mask in which bit i is set if slot i of the page is within the bounds.
    [[gnu::always_inline]] unsigned fitting(PageNumber page, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[page * kPage], &lengths_[page * kPage], bounds);
    }

    // The following functions call minima.take_smaller() with the ranks of a page. If bounds are
    // given, only slots within them count.
    void take_ranks(PageNumber page, SixteenMinima& minima) const {
        minima.take_smaller(&ranks_[page * kPage]);
    }
    void take_ranks(PageNumber page, const BackfillBounds& bounds, SixteenMinima& minima) const {
        minima.take_smaller(&ranks_[page * kPage], &processors_[page * kPage],
                            &lengths_[page * kPage], bounds);
    }

    // Returns the smallest rank among the slots of a page that are within the bounds and not longer
    // than `longest`, or kNone if there is none.
    Value least_within(PageNumber page, const BackfillBounds& bounds, Duration longest) const;

    // Returns the slot of the page that has this rank, or kNoSlot if there is none.
    Slot slot_of(PageNumber page, Value rank) const;
    // Returns the slot that has this rank, which must be in a page from `from` onwards. Returns
    // kNoSlot if the rank is kNone.
    Slot find(Value rank, PageNumber from) const;

  private:
    // The columns, which are indexed by slot.
    std::vector<Value> ranks_;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased (backfill_bounds.hpp)
};

} // namespace slotwise
