// Predicts the run time of a user's next job as the mean run time of the user's last two jobs that
// have ended.
//
// D. Tsafrir, Y. Etsion, D. Feitelson, "Backfilling using system-generated predictions rather than
// user runtime estimates", IEEE TPDS 18(6), 2007.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <unordered_map>

namespace slotwise {

class UserHistory {
  public:
    // Does nothing if `user` is negative, which means that the user is unknown.
    void add(std::int32_t user, Duration run_time) {
        if (user < 0) return;
        Runs& runs = runs_[user];
        runs.before_last = runs.last;
        runs.last = run_time;
        runs.count = std::min(runs.count + 1, 2);
    }

    // Returns the predicted run time, but at least 1 s and at most the requested time. Until two
    // jobs of the user have ended, returns the requested time.
    Duration predict(std::int32_t user, Duration requested_time) const {
        const auto found = runs_.find(user);
        if (found == runs_.end() || found->second.count < 2) return requested_time;
        const std::uint64_t sum = std::uint64_t{found->second.last} + found->second.before_last;
        return std::min(requested_time, static_cast<Duration>(std::max<std::uint64_t>(sum / 2, 1)));
    }

  private:
    struct Runs {
        Duration last = 0;
        Duration before_last = 0;
        int count = 0;
    };
    std::unordered_map<std::int32_t, Runs> runs_;
};

} // namespace slotwise
