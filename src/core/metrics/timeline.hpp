// The state of the queue and the machine over time, computed from a finished schedule. A row is
// stored for each time at which the state changes.
#pragma once

#include "metrics/replay_columns.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

struct Level {
    std::int64_t queued_jobs = 0;
    std::int64_t queued_processors = 0; // processors requested by the queued jobs
    std::int64_t busy_processors = 0;
    std::int64_t available_processors = 0; // total of busy and free processors

    bool operator==(const Level&) const = default;
};

// Row i describes the state from time[i], after all events of that instant, until time[i + 1].
struct Series {
    std::vector<Time> time; // ascending
    std::vector<std::int64_t> queued_jobs;
    std::vector<std::int64_t> queued_processors;
    std::vector<std::int64_t> busy_processors;
    std::vector<std::int64_t> available_processors; // empty if there is no calendar
};

// The arrivals, starts and ends of the jobs that ran, each in time order, and the number of
// available processors over time. A job that never ran does not count as queued. A requeued job
// counts as queued again from the end of the interrupted attempt.
class Timeline {
  public:
    struct Change {
        Time time;
        std::int64_t processors;
    };

    // Takes O(n) time if the times span less than 2^33 s, and O(n log span) otherwise (see
    // `sort_by_time`).
    explicit Timeline(const ReplayColumns& columns);

    // Calls visit(time, level) once for each instant with an event, in time order; `level` is the
    // state from that instant onwards. After the last instant, no job is running.
    template <class Visitor> void for_each_instant(Visitor&& visit) const {
        Level level;
        level.available_processors = machine_;
        std::size_t arrival = 0, start = 0, end = 0, change = 0;
        while (end < ends_.size()) {
            Time now = ends_[end].time;
            if (change < capacity_.size() && capacity_[change].time < now)
                now = capacity_[change].time;
            if (start < starts_.size() && starts_[start].time < now) now = starts_[start].time;
            if (arrival < arrivals_.size() && arrivals_[arrival].time < now)
                now = arrivals_[arrival].time;
            for (; arrival < arrivals_.size() && arrivals_[arrival].time == now; ++arrival) {
                ++level.queued_jobs;
                level.queued_processors += arrivals_[arrival].processors;
            }
            for (; start < starts_.size() && starts_[start].time == now; ++start) {
                --level.queued_jobs;
                level.queued_processors -= starts_[start].processors;
                level.busy_processors += starts_[start].processors;
            }
            for (; end < ends_.size() && ends_[end].time == now; ++end)
                level.busy_processors -= ends_[end].processors;
            for (; change < capacity_.size() && capacity_[change].time == now; ++change)
                level.available_processors = capacity_[change].processors;
            visit(now, level);
        }
    }

  private:
    void add_interrupted(const ReplayColumns& columns);

    std::int64_t machine_;
    std::vector<Change> capacity_; // changes before the first submit time are moved to it
    std::vector<Change> arrivals_;
    std::vector<Change> starts_;
    std::vector<Change> ends_;
};

// Returns the levels over time: one row for each change of level, and always a row at the first
// submit time of the trace. The result is empty for a trace without jobs.
Series series_of(const ReplayColumns& columns);

} // namespace slotwise
