// Where room has opened in the profile: what a sweep of promises has to try.
#pragma once

#include "schedule/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

// Each opening is a stretch of time [from, to) in which room for some widths has opened. A promise
// of such a width can gain by it only if it starts later than the opening, and its duration fits
// into the run, the stretch around the opening in which at least the narrowest of these widths is
// free, or the run reaches up to its start.
class Openings {
  public:
    struct Opening {
        Time from;
        Time to;
        Time run_to;
        LaneBounds bounds; // of a promise that may gain, starts as coarse_time gives them
    };

    // All of the profile's openings, the starts of promises counted from `base` on.
    void find(const Profile& profile, Time base) {
        base_ = base;
        openings_.clear();
        collect(profile, profile.origin(), kNever);
    }

    // The same after the profile has changed on [from, to) and nowhere else since.
    void update(const Profile& profile, Time from, Time to) {
        for (std::size_t i = 0; i < openings_.size();) {
            const Opening& opening = openings_[i];
            if (opening.from >= to || opening.to <= from) {
                ++i;
                continue;
            }
            from = std::min(from, opening.from);
            to = std::max(to, opening.to);
            openings_[i] = openings_.back();
            openings_.pop_back();
        }
        collect(profile, from, to);
    }

    auto begin() const { return openings_.begin(); }
    auto end() const { return openings_.end(); }

  private:
    void collect(const Profile& profile, Time from, Time to) {
        Opening last{};
        last.run_to = profile.origin();
        const auto visit = [&](Profile::Position p, Time at, Time until, ProcCount low,
                               ProcCount high) {
            if (at < last.run_to && low >= last.bounds.above_width) {
                last.bounds.up_to_width = std::max(last.bounds.up_to_width, high);
                last.to = until;
                return;
            }
            if (last.from < last.to) openings_.push_back(last);
            const Profile::Run run = profile.run_around(p, low + 1);
            last = {at,
                    until,
                    run.to,
                    {low, high, coarse_time(at + 1 - base_), coarse_time(run.to - run.from),
                     coarse_time(run.to - base_)}};
        };
        profile.for_each_opening(from, to, visit);
        if (last.from < last.to) openings_.push_back(last);
    }

    Time base_ = 0;
    std::vector<Opening> openings_; // in no order
};

} // namespace slotwise
