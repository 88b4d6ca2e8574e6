// The decayed usage of each user: processor-seconds lose half of their weight every `half_life`
// seconds.
//
// Example with a half_life of 100 s: a job runs on 4 processors from 0 to 100 and uses 400
// processor-seconds. At time 100, the usage is 4·100/ln 2·(1 − 2⁻¹) = 288.5 processor-seconds; at
// time 200, it is 144.3.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace slotwise {

// The usage u of a user. An event is the start or the end of one of the user's jobs. Between two
// events, u changes as follows, with the operations in this order:
//     f = 2^(−(now − since)/half_life),   u(now) = u(since)·f + n·(half_life/ln 2)·(1 − f)
// Here `since` is the time of the last event and n is the number of processors in use since then.
// If half_life is 0, usage does not decay: u(now) = u(since) + n·(now − since). All jobs of unknown
// users (-1) count as the jobs of one user.
class DecayedUsage {
  public:
    explicit DecayedUsage(double half_life);

    double half_life() const { return half_life_; }

    // Record that a job of `user` on this number of processors has started, or has ended for any
    // reason. Here and below, usage before `cleared` does not count.
    void note_start(std::int32_t user, ProcCount processors, Time now, Time cleared = kNeverYet) {
        change(user, processors, now, cleared);
    }
    void note_end(std::int32_t user, ProcCount processors, Time now, Time cleared = kNeverYet) {
        change(user, -processors, now, cleared);
    }

    // Returns the usage of a user at `now`, in processor-seconds. `now` must not be before the
    // user's last event, and `cleared` must not be after `now`.
    double at(std::int32_t user, Time now, Time cleared = kNeverYet) const;

  private:
    static constexpr Time kNeverYet = std::numeric_limits<Time>::min();

    struct Account {
        Time since;
        double usage;
        std::int64_t in_use;
        mutable Time asked_at; // at() returns `answer` if called again for this time
        mutable double answer;
    };

    double at(const Account& account, Time now, Time cleared) const;
    void change(std::int32_t user, ProcCount processors, Time now, Time cleared);

    double half_life_;
    double per_processor_; // limit that usage approaches if one processor is always in use
    std::unordered_map<std::int32_t, Account> accounts_;
};

} // namespace slotwise
