#include "planner/reservation/few_promises.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

namespace {

constexpr std::size_t kManySpans = 16;

} // namespace

// Examines only the widths and time spans that freed processors may affect. Proof that this is
// enough: consider a promise of n processors at time s. When it was last placed or tried, no period
// that starts before s had room for it. Suppose that one has room now. At some instant x of this
// period, fewer than n processors were free at the last trial, and n are free now. Moreover, x < s,
// because from s on the promise's own processors were available to it. So n processors have become
// free at x since then. The run of n free processors around x extends either as far as the job
// needs, or up to s. If it extends only up to s, the promise now fits into the period that starts
// at the last possible start time before s. It did not fit there at the last trial, so processors
// have become free between that time and s. The profile stores the smallest number of free
// processors at each point since the previous sweep began (its lows). Every promise has been tried
// since then.
//
// A move occupies some processors, which only shortens runs, and frees others, which creates one
// more range. The ranges found at the beginning, together with these additional ones, are therefore
// complete. If too many ranges have accumulated, they are computed again.
void FewPromises::compress(PromiseQueue& promises) {
    profile_.mark();
    failed_searches_.clear();
    freed_spans_.find(profile_);
    for (std::size_t b = 0; b < promises.n_blocks(); ++b) {
        if (freed_spans_.all().size() > kManySpans) freed_spans_.find(profile_);
        GainingJobs lanes;
        promises.add_gaining(b, 0, freed_spans_.all(), lanes);
        while ((lanes.reach | lanes.fits) != 0) {
            const auto index =
                static_cast<std::uint32_t>(std::countr_zero(lanes.reach | lanes.fits));
            const bool reach = (lanes.reach >> index & 1) != 0;
            const bool fits = (lanes.fits >> index & 1) != 0;
            lanes.reach &= ~first_lanes(index + 1);
            lanes.fits &= ~first_lanes(index + 1);
            const Promise p = promises.get({b, index});
            const Time start = earlier_start(p, reach, fits);
            if (start >= p.start) continue;
            move(promises, {b, index}, start);
            promises.add_gaining(b, index + 1, freed_spans_.last(), lanes);
        }
    }
}

// Returns an earlier start for a promise that has passed the `reach` or the `fits` test. If there
// is none, returns p.start or a later time.
Time FewPromises::earlier_start(const Promise& p, bool reach, bool fits) {
    if (fits && !failed_searches_.rule_out(p.processors, p.duration, p.start)) {
        const Profile::EarlierStart found =
            profile_.earlier(p.processors, p.duration, p.start, grid_);
        if (found.start == kNever) failed_searches_.learn(p.processors, found);
        return found.start;
    }
    return reach ? grid_.at_or_after(profile_.run_up_to(p.start, p.processors)) : p.start;
}

void FewPromises::move(PromiseQueue& promises, PromiseQueue::Position position, Time start) {
    const Promise p = promises.get(position);
    profile_.move(start, p.start, p.duration, p.processors);
    promises.set_start(position, start);
    const Time from = std::max(p.start, start + static_cast<Time>(p.duration));
    const Profile::Freed freed =
        profile_.freed(profile_.locate_near(from), from, p.end(), p.processors);
    failed_searches_.adapt(freed);
    freed_spans_.add(freed);
}

} // namespace slotwise
