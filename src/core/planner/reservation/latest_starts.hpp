// Upper bounds, one for each class of promises of similar width and duration. The bound of a class
// says how late any of its jobs could start and still end by its promised start.
#pragma once

#include "containers/compare_block.hpp"
#include "queue/promise_queue.hpp"
#include "types.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// Example: 20 processors become free for an hour, beginning at time t. If the bound for a width of
// 20 and durations of up to an hour is earlier than t, no promise of that width and duration can
// move into this hour.
//
// Widths and durations are divided into classes, four for each power of two. A bound applies to one
// class of widths, and to durations in one class or in any lower class. Bounds remain valid when
// promises move earlier or are removed; refresh() makes them exact again.
class LatestStarts {
  public:
    static constexpr std::uint32_t kClasses = kLanes;

    bool is_on() const { return !bounds_.empty(); }
    void clear() { bounds_.clear(); }

    void refresh(const PromiseQueue& promises) {
        bounds_.assign(std::size_t{kClasses} * kClasses, -1);
        for (std::size_t block = 0; block < promises.n_blocks(); ++block)
            for (std::uint64_t lanes = promises.all(block); lanes != 0; lanes &= lanes - 1) {
                const auto index = static_cast<std::uint32_t>(std::countr_zero(lanes));
                const Promise& p = promises.get({block, index});
                raise(duration_class(p.duration), p, promises.base());
            }
        for (std::size_t i = kClasses; i < bounds_.size(); ++i)
            bounds_[i] = std::max(bounds_[i], bounds_[i - kClasses]);
    }

    // Records a promise that is new or starts later than before.
    void note(const Promise& p, Time base) {
        if (!is_on()) return;
        for (std::uint32_t duration = duration_class(p.duration); duration < kClasses; ++duration)
            raise(duration, p, base);
    }

    // Returns the width classes whose bound, for durations of at most `duration`, is not earlier
    // than `time`. `time` is relative to PromiseQueue::base().
    std::uint64_t after(Time time, Time duration) const {
        return lanes_at_least(bounds_.data() + std::size_t{duration_class(duration)} * kClasses,
                              kClasses, coarse_time(time));
    }

    // Returns the bits of the classes that contain the widths [from, to].
    static std::uint64_t classes(ProcCount from, ProcCount to) {
        return first_lanes(width_class(to) + 1) & ~first_lanes(width_class(from));
    }
    static std::uint32_t width_class(ProcCount processors) {
        return class_of(static_cast<std::uint32_t>(processors));
    }
    // The following functions return the smallest and largest width of a class.
    static ProcCount least_width(std::uint32_t width_class) {
        if (width_class < 4) return static_cast<ProcCount>(width_class);
        return static_cast<ProcCount>((4 + (width_class & 3)) << ((width_class >> 2) - 1));
    }
    static ProcCount largest_width(std::uint32_t width_class) {
        return width_class + 1 == kClasses ? std::numeric_limits<ProcCount>::max()
                                           : least_width(width_class + 1) - 1;
    }

  private:
    static std::uint32_t class_of(std::uint32_t n) {
        const auto digits = static_cast<std::uint32_t>(std::bit_width(n));
        return digits < 3 ? n : std::min(4 * (digits - 2) + (n >> (digits - 3) & 3), kClasses - 1);
    }
    static std::uint32_t duration_class(Time duration) {
        constexpr int kUnit = 4; // number of low bits of the duration that are ignored
        return class_of(static_cast<std::uint32_t>(coarse_time(duration >> kUnit)));
    }

    void raise(std::uint32_t duration, const Promise& p, Time base) {
        std::int32_t& bound = bounds_[std::size_t{duration} * kClasses + width_class(p.processors)];
        const std::int32_t start = coarse_time(p.start - base);
        const bool is_far = start == std::numeric_limits<std::int32_t>::max();
        bound = std::max(bound, is_far ? start : coarse_time(p.start - base - p.duration));
    }

    // Indexed by duration class, then by width class; empty if bounds are not used.
    std::vector<std::int32_t> bounds_;
};

} // namespace slotwise
