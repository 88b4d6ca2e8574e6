// Stores the minimum rank, processors and length of the open slots in each section. Sections are
// stored in chunks of sixteen, which are compared together.
//
// Example of a mixed section: one front has 8 processors for 100 s, and another has 2 processors
// for 1,000 s. The minima alone, 2 processors and 100 s, would suggest a short job on 2 processors.
// The section therefore also stores a minimum for each range of lengths, called a step: 8
// processors below 128 s, and 2 below 1,024 s.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/ruled/pages/front_minima.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// The minima of a section may be too low if one of its slots has been closed since the last set().
class SectionMinima {
  public:
    using Section = std::uint32_t;
    using Value = FrontMinima::Value;
    static constexpr std::size_t kChunk = backfill::kGroup;

    // If `mixed` is true, a section may contain classes with different requests, so it has steps.
    explicit SectionMinima(bool mixed = false) : is_mixed_(mixed) {}

    // Increases the number of sections to `n_sections`. The new sections have no open slots.
    void grow(std::size_t n_sections);

    Value rank(Section section) const { return ranks_[section]; }

    // Lowers each minimum of a section that is above the corresponding value of a slot.
    void lower(Section section, const FrontMinima& values) {
        ranks_[section] = std::min(ranks_[section], values.rank);
        processors_[section] = std::min(processors_[section], values.processors);
        lengths_[section] = std::min(lengths_[section], values.length);
        ProcCount& of_chunk = of_chunks_[section / kChunk];
        of_chunk = std::min(of_chunk, values.processors);
        if (is_mixed_) lower_steps(section, values);
    }

    // Sets the minima of a section. For a mixed section, the caller must then call lower_steps()
    // for each slot.
    void set(Section section, const FrontMinima& minima);
    bool is_mixed() const { return is_mixed_; }
    void lower_steps(Section section, const FrontMinima& values);

    // Calls visit(section) for each section whose minima are within the bounds, beginning with the
    // chunk that contains section `from`. Stops when a call returns true.
    template <class Visitor>
    void for_each_within(const BackfillBounds& bounds, std::size_t from, Visitor&& visit) const {
        for (std::size_t chunk = from / kChunk; chunk < of_chunks_.size(); ++chunk)
            if (of_chunks_[chunk] <= bounds.free &&
                visit_each(chunk * kChunk, fitting(chunk * kChunk, bounds), visit))
                return;
    }

    // Calls visit(section) for each section whose smallest rank is below `least`, and possibly for
    // other sections. visit() may lower `least`.
    template <class Visitor> void for_each_below(const Value& least, Visitor&& visit) const {
        for (std::size_t chunk = 0; chunk < ranks_.size(); chunk += kChunk)
            visit_each(chunk, backfill::at_most(&ranks_[chunk], least - 1), [&](Section section) {
                visit(section);
                return false;
            });
    }

    // Returns false if it is certain that no open slot of a mixed section is within the bounds.
    bool may_be_within(Section section, const BackfillBounds& bounds) const {
        return steps_[step_of(bounds.until_shadow)][section] <= bounds.free ||
               steps_.back()[section] <= std::min(bounds.free, bounds.extra);
    }
    // Appends the mixed sections for which may_be_within() returns true.
    void list_within(const BackfillBounds& bounds, std::vector<Section>& found) const;

  private:
    static constexpr std::size_t kSteps = 16;

    // Returns the step of a length. A step contains lengths with the same number of binary digits,
    // or all lengths below 64 s.
    static std::size_t step_of(Duration length) {
        return static_cast<std::size_t>(
            std::clamp(static_cast<int>(std::bit_width(length)) - 6, 0, int{kSteps} - 1));
    }
    unsigned fitting(std::size_t chunk, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[chunk], &lengths_[chunk], bounds);
    }
    // Calls visit() with the section of each bit that is set. Stops and returns true as soon as a
    // call returns true.
    template <class Visitor>
    static bool visit_each(std::size_t begin, unsigned bits, Visitor&& visit) {
        for (unsigned left = bits; left != 0; left &= left - 1)
            if (visit(static_cast<Section>(begin) + static_cast<Section>(std::countr_zero(left))))
                return true;
        return false;
    }

    bool is_mixed_;
    // The minima of the sections. These arrays are indexed by section and padded to whole chunks.
    std::vector<Value> ranks_;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased (backfill_bounds.hpp)
    std::vector<ProcCount> of_chunks_;  // smallest number of processors in each chunk
    // For each step and section, the smallest number of processors of any slot whose length is in
    // this step or a lower one. Used only if sections are mixed.
    std::array<std::vector<ProcCount>, kSteps> steps_;
};

} // namespace slotwise
