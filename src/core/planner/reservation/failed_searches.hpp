// Upper bounds on the lengths of runs in the profile, obtained from failed searches during
// compression. A run is a period in which at least a given number of processors is free.
#pragma once

#include "availability/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace slotwise {

// The bound for a width applies to runs that contain a freed span of this width and begin before
// `horizon`. None of these runs is longer than `longest`. Widths are divided into classes, four for
// each power of two. Each class stores the bound for only one of its widths.
class FailedSearches {
  public:
    void clear() { classes_ = 0; }

    void learn(ProcCount processors, const Profile::EarlierStart& found) {
        const std::uint32_t i = width_class(processors);
        known_[i] = {processors, found.longest, found.horizon};
        classes_ |= std::uint64_t{1} << i;
    }

    // Returns true if the bounds show that, before `start`, no run that contains a freed span is
    // long enough for `duration`.
    bool rule_out(ProcCount processors, Duration duration, Time start) const {
        const std::uint32_t i = width_class(processors);
        const Known& known = known_[i];
        return (classes_ >> i & 1) != 0 && known.processors == processors &&
               duration > known.longest && start <= known.horizon;
    }

    // Adjusts the bounds after `freed` has been released. Only runs that are part of freed.run can
    // have grown.
    void adapt(const Profile::Freed& freed) {
        const std::uint64_t below = classes_before(width_class(std::max(freed.below + 1, 1)));
        const std::uint64_t up_to = classes_before(width_class(freed.most)) * 2 + 1;
        for (std::uint64_t grown = classes_ & up_to & ~below; grown != 0; grown &= grown - 1) {
            Known& known = known_[static_cast<std::uint32_t>(std::countr_zero(grown))];
            if (known.longest < freed.run.to - freed.run.from)
                known.horizon = std::min(known.horizon, freed.run.from);
        }
    }

  private:
    struct Known {
        ProcCount processors = 0;
        Time longest = 0;
        Time horizon = 0;
    };

    static std::uint32_t width_class(ProcCount processors) {
        const auto n = static_cast<std::uint32_t>(processors);
        const auto digits = static_cast<std::uint32_t>(std::bit_width(n));
        return digits < 3 ? n : std::min(4 * (digits - 2) + (n >> (digits - 3) & 3), 63U);
    }
    static std::uint64_t classes_before(std::uint32_t i) { return (std::uint64_t{1} << i) - 1; }

    std::uint64_t classes_ = 0; // bit i is set if class i has a bound
    std::array<Known, 64> known_;
};

} // namespace slotwise
