// Where room has opened in the profile: what a sweep of promises has to try.
#pragma once

#include "schedule/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

// Each opening is a stretch of time [from, to) in which room for the widths in (low, high] has
// opened, and the stretch [run_from, run_to) around it in which at least low + 1 processors are
// free. A promise of such a width can gain by it only if its duration fits into the run, or if the
// run reaches up to its start.
class Openings {
  public:
    struct Opening {
        Time from;
        Time to;
        ProcCount low;
        ProcCount high;
        Time run_from;
        Time run_to;
    };

    // All of the profile's openings.
    void find(const Profile& profile) {
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
        const std::size_t before = openings_.size();
        profile.for_each_opening(from, to, [&](Time at, Time until, ProcCount low, ProcCount high) {
            if (openings_.size() > before) {
                Opening& last = openings_.back();
                if (at < last.run_to && low >= last.low) {
                    last.high = std::max(last.high, high);
                    last.to = until;
                    return;
                }
            }
            const Profile::Run run = profile.run_around(at, low + 1);
            openings_.push_back({at, until, low, high, run.from, run.to});
        });
    }

    std::vector<Opening> openings_; // in no order
};

} // namespace slotwise
