// What failed trials of a sweep have shown about the room in the profile.
#pragma once

#include "schedule/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace slotwise {

// For some widths: no run that holds an opening of that width and begins before `horizon` is longer
// than `longest`. One width is known of each class, four classes to a power of two.
class KnownRuns {
  public:
    // Forgets all.
    void clear() { ++sweep_; }

    void learn(ProcCount processors, const Profile::Room& room) {
        known_[width_class(processors)] = {sweep_, processors, room.longest, room.horizon};
    }

    // Whether no such run before `start` can hold `duration`.
    bool rule_out(ProcCount processors, Duration duration, Time start) const {
        const Known& known = known_[width_class(processors)];
        return known.sweep == sweep_ && known.processors == processors &&
               duration > known.longest && start <= known.horizon;
    }

    // Keeps true what is known when `freed` is no longer taken: the runs that grow lie in its run.
    void adapt(const Profile::Freed& freed) {
        const std::size_t last = width_class(freed.most);
        for (std::size_t i = width_class(std::max(freed.below + 1, 1)); i <= last; ++i)
            if (known_[i].longest < freed.run.to - freed.run.from)
                known_[i].horizon = std::min(known_[i].horizon, freed.run.from);
    }

  private:
    struct Known {
        std::uint64_t sweep = 0;
        ProcCount processors = 0;
        Time longest = 0;
        Time horizon = 0;
    };

    static std::size_t width_class(ProcCount processors) {
        const auto n = static_cast<std::uint32_t>(processors);
        const auto digits = static_cast<std::uint32_t>(std::bit_width(n));
        return digits < 3 ? n : 4 * (digits - 2) + (n >> (digits - 3) & 3);
    }

    std::uint64_t sweep_ = 1;
    std::array<Known, 128> known_;
};

} // namespace slotwise
