#include "planner/reservation/few_promises.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

namespace {

constexpr std::size_t kManyOpenings = 16;

} // namespace

// This pass examines only widths and stretches of time in which room has opened. Proof: when a
// promise (n processors, at s) was last placed or tried, no window starting before s was open to
// it. Suppose that one is open now. At some instant x of this window fewer than n processors were
// free then, and n are free now. Moreover x < s, because from s on the promise's own reservation
// kept the window open. So room for n has opened at x since then, and the run of n free processors
// around x extends as far as the job needs, or up to s. If it extends only up to s, the window that
// starts one grid step before s is open now and was not then: room has opened within that step. The
// profile's lows go back to the start of the previous sweep, hence beyond any promise's last trial.
//
// A move takes processors, which only shortens runs, and frees others, which is one more opening.
// Together with these, the openings found at first therefore miss nothing. They are searched again
// if too many have accumulated.
void FewPromises::compress(PromiseQueue& promises) {
    profile_.mark();
    failed_searches_.clear();
    freed_spans_.find(profile_);
    for (std::size_t b = 0; b < promises.n_blocks(); ++b) {
        if (freed_spans_.all().size() > kManyOpenings) freed_spans_.find(profile_);
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

// Returns the start that a promise can gain by reach or by length; p.start or later if there is
// none.
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
