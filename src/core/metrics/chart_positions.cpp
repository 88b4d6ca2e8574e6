#include "metrics/chart_positions.hpp"

#include "containers/sorted_keys.hpp"
#include "metrics/sort_by_time.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise {

namespace {

constexpr ProcCount kWidest = std::numeric_limits<ProcCount>::max();

struct Run {
    ProcCount first;
    ProcCount count;
};

// The free processors in [first, first + count), as runs of consecutive processors. Runs can be
// found by position and by size.
class FreeRuns {
  public:
    FreeRuns(ProcCount first, ProcCount count) {
        if (count > 0) give_back({first, count});
    }

    std::int64_t free() const { return free_; }

    // Takes `count` free processors, and appends them to `taken` as runs. Requires that at least
    // `count` processors are free.
    void take(ProcCount count, std::vector<Run>& taken) {
        free_ -= count;
        while (count > 0) {
            auto fit = by_size_.lower_bound(key_of(count, 0));
            if (by_size_.is_end(fit)) fit = lowest_of_the_largest();
            const auto [size, first] = values_of(by_size_.key(fit));
            const ProcCount used = std::min(size, count);
            const auto place = by_place_.lower_bound(key_of(first, 0));
            by_size_.erase(fit);
            if (used < size) {
                by_size_.insert(key_of(size - used, first + used));
                by_place_.replace(place, key_of(first + used, size - used));
            } else {
                by_place_.erase(place);
            }
            taken.push_back({first, used});
            count -= used;
        }
    }

    void give_back(Run run) {
        free_ += run.count;
        const auto next = by_place_.lower_bound(key_of(run.first, 0));
        const Run after = by_place_.is_end(next) ? Run{} : run_at(next);
        const Run before = by_place_.is_begin(next) ? Run{} : run_at(by_place_.before(next));
        const bool joins_after = after.count > 0 && run.first + run.count == after.first;
        const bool joins_before = before.count > 0 && before.first + before.count == run.first;
        if (joins_after) {
            by_size_.erase(by_size_.lower_bound(key_of(after.count, after.first)));
            run.count += after.count;
        }
        if (joins_before) {
            by_size_.erase(by_size_.lower_bound(key_of(before.count, before.first)));
            run = {before.first, before.count + run.count};
        }
        by_size_.insert(key_of(run.count, run.first));
        const SortedKeys::Key place = key_of(run.first, run.count);
        if (joins_before) {
            by_place_.replace(by_place_.before(next), place);
            if (joins_after) by_place_.erase(next);
        } else if (joins_after) {
            by_place_.replace(next, place);
        } else {
            by_place_.insert(place);
        }
    }

  private:
    // Combines two numbers into one key, so that keys are ordered by the first number and then by
    // the second.
    static SortedKeys::Key key_of(ProcCount high, ProcCount low) {
        return static_cast<SortedKeys::Key>(high) << 32 | static_cast<SortedKeys::Key>(low);
    }
    static std::pair<ProcCount, ProcCount> values_of(SortedKeys::Key key) {
        return {static_cast<ProcCount>(key >> 32), static_cast<ProcCount>(key & 0xffffffffU)};
    }

    Run run_at(SortedKeys::Position place) const {
        const auto [first, count] = values_of(by_place_.key(place));
        return {first, count};
    }

    SortedKeys::Position lowest_of_the_largest() const {
        return by_size_.lower_bound(key_of(values_of(by_size_.largest()).first, 0));
    }

    SortedKeys by_place_; // keys of (first, count)
    SortedKeys by_size_;  // keys of (count, first)
    std::int64_t free_ = 0;
};

// The processors of the machine, followed by extra processors for schedules that use more
// processors than the machine has.
class FreeProcessors {
  public:
    explicit FreeProcessors(ProcCount machine)
        : machine_(machine), inside_(0, machine), above_(machine, kWidest - machine) {}

    void take(ProcCount count, std::vector<Run>& taken) {
        const auto fits = static_cast<ProcCount>(std::min<std::int64_t>(count, inside_.free()));
        inside_.take(fits, taken);
        if (above_.free() < count - fits)
            throw std::invalid_argument("the schedule uses more than 2^31 - 1 processors at once");
        above_.take(count - fits, taken);
    }

    void give_back(Run run) { (run.first < machine_ ? inside_ : above_).give_back(run); }

  private:
    ProcCount machine_;
    FreeRuns inside_;
    FreeRuns above_;
};

void check(std::span<const Time> start, std::span<const Time> end,
           std::span<const std::int64_t> processors) {
    if (start.size() != end.size() || start.size() != processors.size())
        throw std::invalid_argument(
            "start, end and processors have " + std::to_string(start.size()) + ", " +
            std::to_string(end.size()) + " and " + std::to_string(processors.size()) +
            " values; each must have one value per job");
    for (std::size_t job = 0; job < start.size(); ++job)
        if (start[job] >= 0 &&
            (processors[job] <= 0 || processors[job] >= kWidest || end[job] < start[job]))
            throw std::invalid_argument("job " + std::to_string(job) + " runs on " +
                                        std::to_string(processors[job]) + " processors from " +
                                        std::to_string(start[job]) + " to " +
                                        std::to_string(end[job]) +
                                        "; a job must have between 1 and 2^31 - 2 processors, and "
                                        "must not end before it starts");
}

// The start or the end of a job.
struct Moment {
    Time time;
    JobId job;
};

// Returns the jobs that started, in order of their starts. Jobs of length 0 come before other jobs
// that start at the same instant, so they end before the others begin.
std::vector<Moment> by_start(std::span<const Time> start, std::span<const Time> end) {
    std::vector<Moment> moments;
    moments.reserve(start.size());
    for (const bool lasts : {false, true})
        for (std::size_t job = 0; job < start.size(); ++job)
            if (start[job] >= 0 && (end[job] > start[job]) == lasts)
                moments.push_back({start[job], static_cast<JobId>(job)});
    sort_by_time(moments);
    return moments;
}

std::vector<Moment> by_end(std::span<const Time> start, std::span<const Time> end) {
    std::vector<Moment> moments;
    moments.reserve(start.size());
    for (std::size_t job = 0; job < start.size(); ++job)
        if (start[job] >= 0 && end[job] > start[job])
            moments.push_back({end[job], static_cast<JobId>(job)});
    sort_by_time(moments);
    return moments;
}

// The runs of processors of every job, in the order of `started`. Job j has length[j] runs, which
// begin at position begin[j].
struct RunsByStart {
    std::vector<Run> runs;
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> length;
};

RunsByStart sweep(std::span<const Time> start, std::span<const Time> end,
                  std::span<const std::int64_t> processors, ProcCount machine) {
    const std::vector<Moment> started = by_start(start, end);
    const std::vector<Moment> ending = by_end(start, end);
    RunsByStart out;
    out.begin.resize(start.size());
    out.length.resize(start.size());
    out.runs.reserve(started.size() * 2);
    FreeProcessors pool(machine);
    const auto give_back = [&](JobId job) {
        for (std::uint32_t i = 0; i < out.length[job]; ++i)
            pool.give_back(out.runs[out.begin[job] + i]);
    };
    auto leaving = ending.begin();
    for (const auto [now, job] : started) {
        for (; leaving != ending.end() && leaving->time <= now; ++leaving)
            give_back(leaving->job);
        out.begin[job] = static_cast<std::uint32_t>(out.runs.size());
        pool.take(static_cast<ProcCount>(processors[job]), out.runs);
        out.length[job] = static_cast<std::uint32_t>(out.runs.size() - out.begin[job]);
        if (end[job] == start[job]) give_back(job);
        std::sort(out.runs.begin() + out.begin[job], out.runs.end(),
                  [](const Run& a, const Run& b) { return a.first < b.first; });
    }
    return out;
}

} // namespace

ChartPositions chart_positions(std::span<const Time> start, std::span<const Time> end,
                               std::span<const std::int64_t> processors, ProcCount machine) {
    check(start, end, processors);
    const RunsByStart swept = sweep(start, end, processors, machine);
    ChartPositions out;
    out.offset.reserve(start.size() + 1);
    out.first.reserve(swept.runs.size());
    out.count.reserve(swept.runs.size());
    out.offset.push_back(0);
    for (std::size_t job = 0; job < start.size(); ++job) {
        for (std::uint32_t i = 0; i < swept.length[job]; ++i) {
            const Run& run = swept.runs[swept.begin[job] + i];
            out.first.push_back(run.first);
            out.count.push_back(run.count);
            out.extent = std::max(out.extent, run.first + run.count);
        }
        out.offset.push_back(static_cast<std::uint32_t>(out.first.size()));
    }
    return out;
}

} // namespace slotwise
