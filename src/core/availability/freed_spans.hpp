// Lists the freed spans of the profile: future periods with more free processors than when promises
// were last moved. Compression tries to move promises into them.
#pragma once

#include "availability/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotwise {

// A freed span is a future period [from, to). It now has enough free processors for promises of
// certain widths, but did not when promises were last moved. A promise of such a width can move to
// an earlier time only if its promised start is after `from` and one of two conditions is met:
//  - reach: the span ends after the last possible start time before the promised start;
//  - length: the promise is no longer than the run around the span. The run is the longest period
//    in which enough processors are free for the smallest of these widths.
class FreedSpans {
  public:
    // Starts of promises are measured from the time `base`.
    FreedSpans(Time base, const StartGrid& grid) : base_(base), grid_(grid) {}

    // Lists all freed spans of the profile.
    void find(const Profile& profile);

    // Adds the span that was freed by moving a promise.
    void add(const Profile::Freed& freed) {
        freed_spans_.push_back(bounds(freed.from, freed.to, freed.below, freed.most, freed.run));
    }

    std::span<const SpanBounds> all() const { return freed_spans_; }
    std::span<const SpanBounds> last() const { return all().last(1); }

  private:
    SpanBounds bounds(Time from, Time to, ProcCount above_width, ProcCount up_to_width,
                      const Profile::Run& run) const {
        return {above_width, up_to_width, coarse_time(from + 1 - base_), reached(to),
                coarse_time(run.to - run.from)};
    }
    std::int32_t reached(Time to) const {
        return coarse_time(std::min(to, kNever - grid_.period) + grid_.period - 1 - base_);
    }

    Time base_;
    StartGrid grid_;
    std::vector<SpanBounds> freed_spans_; // in no particular order
};

inline void FreedSpans::find(const Profile& profile) {
    freed_spans_.clear();
    Time run_to = profile.origin();
    const auto visit = [&](Profile::Position p, Time from, Time to, ProcCount low,
                           ProcCount value) {
        if (from < run_to && low >= freed_spans_.back().above_width) {
            SpanBounds& last = freed_spans_.back();
            last.up_to_width = std::max(last.up_to_width, value);
            last.up_to_start = reached(to);
            return;
        }
        const Profile::Run run = profile.run_around(p, low + 1);
        freed_spans_.push_back(bounds(from, to, low, value, run));
        run_to = run.to;
    };
    profile.for_each_freed_span(visit);
}

} // namespace slotwise
