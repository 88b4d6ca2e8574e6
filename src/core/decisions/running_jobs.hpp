// The running jobs of a replay, with their actual and estimated end times.
#pragma once

#include "planner/easy/shadow.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace slotwise {

class RunningJobs {
  public:
    struct Running {
        Time estimated_end; // start + requested time
        JobId job;
        ProcCount processors;
    };

    std::size_t size() const { return by_estimate_.size(); }
    Time next_end() const { return ends_.empty() ? kNever : ends_.front().time; }
    std::span<const Running> by_estimate() const { return by_estimate_; }

    void add(const Running& running, Time end) {
        ends_.push_back({end, running.job, running.estimated_end});
        std::push_heap(ends_.begin(), ends_.end(), std::greater<>());
        by_estimate_.insert(
            std::upper_bound(by_estimate_.begin(), by_estimate_.end(), running, precedes), running);
    }

    // Removes the job that ends next.
    Running pop() {
        std::pop_heap(ends_.begin(), ends_.end(), std::greater<>());
        const End end = ends_.back();
        ends_.pop_back();
        const auto at = std::lower_bound(by_estimate_.begin(), by_estimate_.end(),
                                         Running{end.estimated_end, end.job, 0}, precedes);
        const Running found = *at;
        by_estimate_.erase(at);
        return found;
    }

    // Returns the earliest time at which `need` processors will be free if jobs run for their
    // requested times, and how many more will be free then. A job that has already exceeded its
    // requested time is expected to end in the next second.
    Shadow shadow(std::int64_t free, std::int64_t need, Time now) const {
        Time time = now;
        for (std::size_t i = 0; i < by_estimate_.size(); ++i) {
            const Time end = std::max(by_estimate_[i].estimated_end, now + 1);
            if (end > time && free >= need) break;
            time = end;
            free += by_estimate_[i].processors;
        }
        return {time, free - need};
    }

    // Calls visit(job, estimated end, actual end) for each running job, in no particular order.
    template <class Visit> void for_each_end(Visit&& visit) const {
        for (const End& end : ends_)
            visit(end.job, end.estimated_end, end.time);
    }

  private:
    struct End {
        Time time;
        JobId job;
        Time estimated_end;
        auto operator<=>(const End&) const = default;
    };

    static bool precedes(const Running& a, const Running& b) {
        return a.estimated_end < b.estimated_end ||
               (a.estimated_end == b.estimated_end && a.job < b.job);
    }

    std::vector<End> ends_; // a heap, earliest first
    std::vector<Running> by_estimate_;
};

} // namespace slotwise
