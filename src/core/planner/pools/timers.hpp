// The instants at which time alone changes something for a waiting job.
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
        starves,   // it has waited long enough to go first
        passes,    // its slowdown so far opens a pool
        depends_on // what it depends on is over
    };
    struct Timer {
        Time at;
        JobId job;
        Kind kind;
        std::uint16_t pool; // that opens

        bool operator>(const Timer& other) const {
            return std::tie(at, job, kind, pool) >
                   std::tie(other.at, other.job, other.kind, other.pool);
        }
    };

    void set(const Timer& timer) { timers_.push(timer); }

    // Calls `fire(timer)` for those that are due, earliest first.
    template <class Fire> void fire(Time now, Fire&& fire) {
        while (!timers_.empty() && timers_.top().at <= now) {
            const Timer timer = timers_.top();
            timers_.pop();
            fire(timer);
        }
    }

    // The first timer of a job for which `waits(job)`; kNever where there is none.
    template <class Waits> Time next(Waits&& waits) {
        while (!timers_.empty() && !waits(timers_.top().job))
            timers_.pop();
        return timers_.empty() ? kNever : timers_.top().at;
    }

  private:
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

} // namespace slotwise
