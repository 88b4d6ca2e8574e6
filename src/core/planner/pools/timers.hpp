// The times at which the rank or eligibility of a waiting job changes merely because time has
// passed.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace slotwise {

class Timers {
  public:
    enum class Kind : std::uint8_t {
        starves,   // the job starves from then on
        passes,    // the job's slowdown factor exceeds the threshold of a pool
        depends_on // the job's dependencies are met
    };
    struct Timer {
        Time at;
        JobId job;
        Kind kind;
        std::uint16_t pool; // the pool with the threshold

        bool operator>(const Timer& other) const {
            return std::tie(at, job, kind, pool) >
                   std::tie(other.at, other.job, other.kind, other.pool);
        }
    };

    void set(const Timer& timer) { timers_.push(timer); }

    // Calls `fire(timer)` for the timers that are due, the earliest first.
    template <class Fire> void fire(Time now, Fire&& fire) {
        while (!timers_.empty() && timers_.top().at <= now) {
            const Timer timer = timers_.top();
            timers_.pop();
            fire(timer);
        }
    }

    // Returns the time of the first timer, or kNever if there is none.
    Time first() const { return timers_.empty() ? kNever : timers_.top().at; }

    // Returns the time of the first timer of a job for which `waits(job)` is true, or kNever if
    // there is none.
    template <class Waits> Time next(Waits&& waits) {
        while (!timers_.empty() && !waits(timers_.top().job))
            timers_.pop();
        return timers_.empty() ? kNever : timers_.top().at;
    }

  private:
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

} // namespace slotwise
