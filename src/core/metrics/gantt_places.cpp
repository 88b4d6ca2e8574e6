#include "metrics/gantt_places.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
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

// The free processors of [first, first + count) as maximal runs, found by position and by size.
class FreeRuns {
  public:
    FreeRuns(ProcCount first, ProcCount count) {
        if (count > 0) add({first, count});
    }

    std::int64_t free() const { return free_; }

    // Appends the chosen runs to `taken`. At least `count` processors must be free.
    void take(ProcCount count, std::vector<Run>& taken) {
        while (count > 0) {
            auto fit = by_size_.lower_bound({count, 0});
            if (fit == by_size_.end()) fit = largest();
            const Run run{fit->second, fit->first};
            const ProcCount used = std::min(run.count, count);
            remove(run);
            if (used < run.count) add({run.first + used, run.count - used});
            taken.push_back({run.first, used});
            count -= used;
        }
    }

    void give_back(Run run) {
        auto next = by_place_.lower_bound(run.first);
        if (next != by_place_.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == run.first) {
                const Run joined{before->first, before->second};
                run = {joined.first, joined.count + run.count};
                remove(joined);
                next = by_place_.lower_bound(run.first);
            }
        }
        if (next != by_place_.end() && run.first + run.count == next->first) {
            const Run joined{next->first, next->second};
            run.count += joined.count;
            remove(joined);
        }
        add(run);
    }

  private:
    using BySize = std::set<std::pair<ProcCount, ProcCount>>; // (count, first)

    // The lowest of the largest runs.
    BySize::const_iterator largest() const {
        return by_size_.lower_bound({by_size_.rbegin()->first, 0});
    }

    void add(Run run) {
        by_place_.emplace(run.first, run.count);
        by_size_.emplace(run.count, run.first);
        free_ += run.count;
    }

    void remove(Run run) {
        by_place_.erase(run.first);
        by_size_.erase({run.count, run.first});
        free_ -= run.count;
    }

    std::map<ProcCount, ProcCount> by_place_;
    BySize by_size_;
    std::int64_t free_ = 0;
};

// The machine, and further processors above it for schedules that overbook it.
class Pool {
  public:
    explicit Pool(ProcCount machine)
        : machine_(machine), inside_(0, machine), above_(machine, kWidest - machine) {}

    void take(ProcCount count, std::vector<Run>& taken) {
        const auto fits = static_cast<ProcCount>(std::min<std::int64_t>(count, inside_.free()));
        inside_.take(fits, taken);
        if (above_.free() < count - fits)
            throw std::invalid_argument("the schedule runs more than 2^31 processors at once");
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
            " values; give each one value per job");
    for (std::size_t job = 0; job < start.size(); ++job)
        if (start[job] >= 0 &&
            (processors[job] <= 0 || processors[job] >= kWidest || end[job] < start[job]))
            throw std::invalid_argument(
                "job " + std::to_string(job) + " runs on " + std::to_string(processors[job]) +
                " processors from " + std::to_string(start[job]) + " to " +
                std::to_string(end[job]) +
                "; it must need between 1 and 2^31 - 2 and not end before it starts");
}

// Jobs that started, by start; at the same instant, jobs of length 0 come first, because they end
// before the others begin.
std::vector<JobId> by_start(std::span<const Time> start, std::span<const Time> end) {
    std::vector<JobId> jobs;
    jobs.reserve(start.size());
    for (std::size_t job = 0; job < start.size(); ++job)
        if (start[job] >= 0) jobs.push_back(static_cast<JobId>(job));
    std::sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) {
        if (start[a] != start[b]) return start[a] < start[b];
        const bool a_lasts = end[a] > start[a];
        const bool b_lasts = end[b] > start[b];
        return a_lasts != b_lasts ? b_lasts : a < b;
    });
    return jobs;
}

std::vector<JobId> by_end(std::vector<JobId> jobs, std::span<const Time> end) {
    std::sort(jobs.begin(), jobs.end(),
              [&](JobId a, JobId b) { return end[a] != end[b] ? end[a] < end[b] : a < b; });
    return jobs;
}

// The runs of every job, in the order of `started`: job j has length[j] runs from begin[j] on.
struct RunsByStart {
    std::vector<Run> runs;
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> length;
};

RunsByStart sweep(std::span<const Time> start, std::span<const Time> end,
                  std::span<const std::int64_t> processors, ProcCount machine) {
    const std::vector<JobId> started = by_start(start, end);
    const std::vector<JobId> ending = by_end(started, end);
    RunsByStart out;
    out.begin.resize(start.size());
    out.length.resize(start.size());
    out.runs.reserve(started.size() * 2);
    Pool pool(machine);
    const auto give_back = [&](JobId job) {
        for (std::uint32_t i = 0; i < out.length[job]; ++i)
            pool.give_back(out.runs[out.begin[job] + i]);
    };
    auto leaving = ending.begin();
    for (const JobId job : started) {
        for (; leaving != ending.end() && end[*leaving] <= start[job]; ++leaving)
            if (end[*leaving] > start[*leaving]) give_back(*leaving);
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

Placement place(std::span<const Time> start, std::span<const Time> end,
                std::span<const std::int64_t> processors, ProcCount machine) {
    check(start, end, processors);
    const RunsByStart swept = sweep(start, end, processors, machine);
    Placement out;
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
