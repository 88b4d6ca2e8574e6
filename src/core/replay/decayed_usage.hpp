// Each user's decayed usage of the machine: processor-seconds lose half their weight every
// `half_life` seconds.
//
// Example, half_life 100: a job of 4 processors from 0 to 100 counts as 4·100/ln 2·(1 − 2⁻¹) =
// 288.5 at its end (of 400 processor-seconds) and as 144.3 at 200.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace slotwise {

// Between two events of a user, usage follows, in this order of operations,
//     f = 2^(−(now − since)/half_life),   u(now) = u(since)·f + n·(half_life/ln 2)·(1 − f)
// with n the processors in use since then. With half_life 0, usage does not decay: u(now) =
// u(since) + n·(now − since). All jobs of unknown users (-1) count as those of one user.
class DecayedUsage {
  public:
    explicit DecayedUsage(double half_life);

    double half_life() const { return half_life_; }

    // Records that a job of `user` on this many processors starts, or ends for any reason. Usage
    // before `cleared` does not count, here and below.
    void note_start(std::int32_t user, ProcCount processors, Time now, Time cleared = kNeverYet) {
        change(user, processors, now, cleared);
    }
    void note_end(std::int32_t user, ProcCount processors, Time now, Time cleared = kNeverYet) {
        change(user, -processors, now, cleared);
    }

    // Usage of a user at `now` in processor-seconds; `now` must not be before the user's last
    // event, nor `cleared` after `now`.
    double at(std::int32_t user, Time now, Time cleared = kNeverYet) const;

  private:
    static constexpr Time kNeverYet = std::numeric_limits<Time>::min();

    struct Account {
        Time since;
        double usage;
        std::int64_t in_use;
        mutable Time asked_at; // at() is called for many jobs of a user at the same instant
        mutable double answer;
    };

    double at(const Account& account, Time now, Time cleared) const;
    void change(std::int32_t user, ProcCount processors, Time now, Time cleared);

    double half_life_;
    double per_processor_; // limit for one processor in use forever
    std::unordered_map<std::int32_t, Account> accounts_;
};

} // namespace slotwise
