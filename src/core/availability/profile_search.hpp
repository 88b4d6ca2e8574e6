// The functions that search the availability profile. Only profile.cpp includes this file.
#pragma once

#include "availability/profile.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace slotwise {

template <class Notes>
Time NotedProfile<Notes>::earliest(ProcCount processors, Time duration, Time from,
                                   const StartGrid& grid) const {
    Position p = locate(from);
    bool running = false; // true inside a run with enough free processors; the run began at `start`
    Time start = from;
    for (; p.block < summary_.size(); ++p.block, p.index = 0) {
        const Summary& s = summary_[p.block];
        if (running) {
            if (s.first - start >= duration) return start;
            if (s.lo >= processors) continue;
        } else if (s.hi < processors) {
            continue;
        }
        const Block& b = at(p.block);
        const std::uint64_t fits = enough(p.block, processors);
        const std::uint64_t lacks = ~fits & first_lanes(b.count);
        for (;;) {
            const std::uint64_t next = (running ? lacks : fits) & ~first_lanes(p.index);
            if (next == 0) break;
            p.index = static_cast<std::uint32_t>(std::countr_zero(next));
            if (running && b.time[p.index] - start >= duration) return start;
            if (!running) start = grid.at_or_after(std::max(from, b.time[p.index]));
            running = !running;
        }
    }
    assert(running);
    return start;
}

// Returns the start of the run with at least `processors` free processors around point p. The bits
// of `lacks` mark the points of p's block at which fewer are free.
template <class Notes>
Time NotedProfile<Notes>::run_start(Position p, std::uint64_t lacks, ProcCount processors) const {
    lacks &= first_lanes(p.index);
    while (lacks == 0) {
        if (p.block == 0) return origin();
        --p.block;
        if (summary_[p.block].lo >= processors) continue;
        lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    }
    const auto last = static_cast<std::uint32_t>(63 - std::countl_zero(lacks));
    near_ = last + 1 < at(p.block).count ? Position{p.block, last + 1} : Position{p.block + 1, 0};
    return time(near_);
}

// Returns the end of the run with at least `processors` free processors around point p.
template <class Notes>
Time NotedProfile<Notes>::run_end(Position p, std::uint64_t lacks, ProcCount processors) const {
    lacks &= ~first_lanes(p.index);
    while (lacks == 0) {
        if (++p.block == summary_.size()) return kNever;
        if (summary_[p.block].lo >= processors) continue;
        lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    }
    return at(p.block).time[static_cast<std::uint32_t>(std::countr_zero(lacks))];
}

template <class Notes>
typename NotedProfile<Notes>::Run NotedProfile<Notes>::run_around(Position p,
                                                                  ProcCount processors) const {
    const std::uint64_t lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    return {run_start(p, lacks, processors), run_end(p, lacks, processors)};
}

template <class Notes> Time NotedProfile<Notes>::run_up_to(Time t, ProcCount processors) const {
    const Position p = locate(t - 1);
    if (value(p) < processors) return t;
    const std::uint64_t lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    return run_start(p, lacks, processors);
}

template <class Notes> Time NotedProfile<Notes>::run_up_to(Position p, ProcCount processors) const {
    p = p.index > 0 ? Position{p.block, p.index - 1}
                    : Position{p.block - 1, at(p.block - 1).count - 1};
    const std::uint64_t lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    return run_start(p, lacks, processors);
}

template <class Notes>
typename NotedProfile<Notes>::EarlierStart NotedProfile<Notes>::earlier(ProcCount processors,
                                                                        Time duration, Time before,
                                                                        const StartGrid& grid) const
    requires kHasLows
{
    EarlierStart found;
    const auto result = [&](bool running, Time start) {
        if (running) (start < before ? found.start : found.horizon) = start;
        return found;
    };
    // True inside a run with enough free processors that contains a freed span; `start` is then the
    // first start in the run that the grid allows.
    bool running = false;
    Time start = kNever;
    for (std::size_t block = 0; block < summary_.size(); ++block) {
        const Summary& s = summary_[block];
        if (running) {
            if (s.first - start >= duration) break;
            if (s.lo >= processors) continue;
        } else if (!s.notes.raised || s.hi < processors) {
            continue;
        }
        const Block& b = at(block);
        const std::uint64_t fits = enough(block, processors);
        const std::uint64_t lacks = ~fits & first_lanes(b.count);
        const std::uint64_t opened =
            s.notes.raised
                ? fits & ~lanes_at_least(b.low().data(), b.count, processors - s.notes.low_lift)
                : 0;
        for (std::uint64_t ahead = ~std::uint64_t{0};;) {
            const std::uint64_t next = (running ? lacks : opened) & ahead;
            if (next == 0) break;
            const auto index = static_cast<std::uint32_t>(std::countr_zero(next));
            ahead = ~first_lanes(index);
            const Time t = b.time[index];
            if (!running) {
                start = grid.at_or_after(run_start({block, index}, lacks, processors));
            } else {
                if (t - start >= duration || (start < before && t >= before))
                    return result(true, start);
                found.longest = std::max(found.longest, t - start);
            }
            running = !running;
        }
    }
    return result(running, start);
}

template <class Notes>
typename NotedProfile<Notes>::Freed NotedProfile<Notes>::freed(Position first, Time from, Time to,
                                                               ProcCount change) const {
    Position last = first;
    ProcCount least = value(first), most = least;
    for (Position p = first; p.block < summary_.size(); ++p.block, p.index = 0) {
        const Block& b = at(p.block);
        const ProcCount lift = summary_[p.block].lift;
        for (; p.index < b.count && b.time[p.index] < to; ++p.index) {
            least = std::min(least, static_cast<ProcCount>(b.value[p.index] + lift));
            most = std::max(most, static_cast<ProcCount>(b.value[p.index] + lift));
            last = p;
        }
        if (p.index < b.count) break;
    }
    const ProcCount below = least - change;
    const auto lacks = [&](std::size_t block) {
        return ~enough(block, below + 1) & first_lanes(at(block).count);
    };
    const std::uint64_t at_first = lacks(first.block);
    const std::uint64_t at_last = last.block == first.block ? at_first : lacks(last.block);
    const Run run{run_start(first, at_first, below + 1), run_end(last, at_last, below + 1)};
    return {from, to, below, most, run};
}

template <class Notes>
typename NotedProfile<Notes>::Point NotedProfile<Notes>::first_below(Time from,
                                                                     ProcCount processors) const {
    Position p = locate(from);
    for (; p.block < summary_.size(); ++p.block, p.index = 0) {
        if (summary_[p.block].lo >= processors) continue;
        const std::uint64_t lanes = first_lanes(at(p.block).count) & ~first_lanes(p.index);
        const std::uint64_t lacks = ~enough(p.block, processors) & lanes;
        if (lacks == 0) continue;
        p.index = static_cast<std::uint32_t>(std::countr_zero(lacks));
        return {std::max(from, time(p)), value(p)};
    }
    return {kNever, processors};
}

template <class Notes> ProcCount NotedProfile<Notes>::least(Time from, Time to) const {
    Position p = locate(from);
    ProcCount found = value(p);
    for (; p.block < summary_.size() && summary_[p.block].first < to; ++p.block, p.index = 0) {
        const Summary& s = summary_[p.block];
        if (s.lo >= found) continue;
        const Block& b = at(p.block);
        for (std::uint32_t i = p.index; i < b.count && b.time[i] < to; ++i)
            found = std::min(found, static_cast<ProcCount>(b.value[i] + s.lift));
    }
    return found;
}

template <class Notes> ProcCount NotedProfile<Notes>::most(Time from, Time to) const {
    Position p = locate(from);
    ProcCount found = value(p);
    for (; p.block < summary_.size() && summary_[p.block].first < to; ++p.block, p.index = 0) {
        const Summary& s = summary_[p.block];
        if (s.hi <= found) continue;
        const Block& b = at(p.block);
        for (std::uint32_t i = p.index; i < b.count && b.time[i] < to; ++i)
            found = std::max(found, static_cast<ProcCount>(b.value[i] + s.lift));
    }
    return found;
}

} // namespace slotwise
