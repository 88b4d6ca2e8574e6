// The spans of time in which processors have become free since the waiting promises were last tried for an earlier place.
#pragma once

#include "schedule/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// Why these are all a sweep has to look at. When promise j (n processors, at s) was last placed or tried, no window that
// starts before s was open to it. Let one be open now. At some instant x of it fewer than n were free then, and n are now;
// x < s, as from s on j's own reservation had the window open. So x lies in a span freed since, with n free in it, and
// the stretch of n free processors around x reaches as far as j needs or up to s. Conversely any such stretch is open.
// The earliest such stretch is therefore j's earliest place: none that holds no freed instant has opened.
//
// A sweep tries promises in policy order, so what the mover m frees concerns the ranks after m in the same sweep and the
// ranks before m in the next.
class FreedSpans {
  public:
    struct Span {
        Time from;
        Time to;
        ProcCount most;  // free in it at present, an upper bound
        std::uint32_t mover;
    };

    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

    // `mover` is the rank of the promise that left the span, kNobody where it concerns every promise.
    void add(Time from, Time to, std::uint32_t mover) {
        if (from < to) spans_.push_back({from, to, 0, mover});
    }

    // Begins a sweep at `now`, with the spans of before.
    void begin(const Profile& profile, Time now) {
        std::erase_if(spans_, [&](const Span& span) { return span.to <= now; });
        for (Span& span : spans_) span.from = std::max(span.from, now);
        n_old_ = spans_.size();
        for (Span& span : spans_) span.most = profile.most(span.from, span.to);
        summarise();
    }

    // In a sweep: [from, to) was taken, then [freed_from, freed_to) freed by the promise of rank `mover`.
    void moved(const Profile& profile, Time from, Time to, Time freed_from, Time freed_to,
               std::uint32_t mover) {
        add(freed_from, freed_to, mover);
        spans_.back().most = profile.most(freed_from, freed_to);
        for (Span& span : spans_)
            if (span.from < to && from < span.to) span.most = profile.most(span.from, span.to);
        summarise();
    }

    // Ends the sweep: only what moved in it remains.
    void end() {
        spans_.erase(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(n_old_));
    }

    // No promise wider than this, and none that starts at or before `first`, can move.
    ProcCount widest() const { return widest_; }
    Time first() const { return first_; }

    // The earliest place before its present one for the promise of `rank`, or kNever.
    Time earlier(const Profile& profile, std::uint32_t rank, ProcCount processors, Time duration,
                 Time start, const StartGrid& grid) const {
        Time found = kNever;
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            const Span& span = spans_[i];
            if (span.most < processors || span.from >= std::min(start, found)) continue;
            if (i < n_old_ && rank >= span.mover) continue;
            found = std::min(found, profile.earlier(processors, duration, start, span.from,
                                                    span.to, grid));
        }
        return found;
    }

  private:
    void summarise() {
        widest_ = 0;
        first_ = kNever;
        for (const Span& span : spans_) {
            widest_ = std::max(widest_, span.most);
            if (span.most > 0) first_ = std::min(first_, span.from);
        }
    }

    std::vector<Span> spans_;  // those of before the sweep, then those of the sweep
    std::size_t n_old_ = 0;
    ProcCount widest_ = 0;
    Time first_ = kNever;
};

}  // namespace slotwise
