#include "metrics/timeline.hpp"

#include "metrics/sort_by_time.hpp"

#include <algorithm>

namespace slotwise {

Timeline::Timeline(const ReplayColumns& columns) : machine_(columns.machine) {
    const std::size_t jobs = columns.size();
    arrivals_.reserve(jobs);
    starts_.reserve(jobs);
    ends_.reserve(jobs);
    for (std::size_t job = 0; job < jobs; ++job) {
        if (!columns.started(job)) continue;
        const std::int64_t processors = columns.processors[job];
        arrivals_.push_back({columns.submit[job], processors});
        starts_.push_back({columns.start[job], processors});
        ends_.push_back({columns.end[job], processors});
    }
    add_interrupted(columns);
    if (arrivals_.empty()) return;
    const Time first = columns.submit.front();
    for (const CapacityChange& change : columns.capacity)
        capacity_.push_back({std::max(change.time, first), change.processors});
    for (std::vector<Change>* changes : {&arrivals_, &starts_, &ends_})
        sort_by_time(*changes);
}

// Adds the interrupted attempts after which the job was queued again.
void Timeline::add_interrupted(const ReplayColumns& columns) {
    for (const Attempt& attempt : columns.interrupted) {
        if (!attempt.requeued) continue;
        const std::int64_t processors = columns.processors[attempt.job];
        if (attempt.number == 1 && !columns.started(attempt.job))
            arrivals_.push_back({columns.submit[attempt.job], processors});
        starts_.push_back({attempt.start, processors});
        ends_.push_back({attempt.end, processors});
        arrivals_.push_back({attempt.end, processors});
    }
}

Series series_of(const ReplayColumns& columns) {
    Series series;
    const auto add = [&](Time time, const Level& level) {
        series.time.push_back(time);
        series.queued_jobs.push_back(level.queued_jobs);
        series.queued_processors.push_back(level.queued_processors);
        series.busy_processors.push_back(level.busy_processors);
        if (columns.has_calendar) series.available_processors.push_back(level.available_processors);
    };
    if (columns.size() == 0) return series;
    const std::size_t most = 3 * columns.size() + 1;
    series.time.reserve(most);
    series.queued_jobs.reserve(most);
    series.queued_processors.reserve(most);
    series.busy_processors.reserve(most);
    const Time first = columns.submit.front();
    Level before;
    before.available_processors = columns.machine;
    bool begun = false;
    Timeline(columns).for_each_instant([&](Time now, const Level& level) {
        if (!begun && now > first) add(first, before);
        if ((!begun && now == first) || level != before) add(now, level);
        begun = true;
        before = level;
    });
    if (!begun) add(first, before);
    return series;
}

} // namespace slotwise
