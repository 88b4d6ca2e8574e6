#include "metrics/fair_start.hpp"

#include "engine/arrivals/eligible_arrivals.hpp"
#include "numeric/splitmix64.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise {

namespace {

constexpr std::chrono::milliseconds kReportEvery{100};

// Returns, for each job, the submit time of the next job in the trace that fits on the machine, or
// kNever if there is none.
std::vector<Time> next_arrivals(const JobTable& table, ProcCount processors) {
    std::vector<Time> next(table.size());
    Time later = kNever;
    for (std::size_t job = table.size(); job-- > 0;) {
        next[job] = later;
        if (table.processors[job] <= processors) later = table.submit[job];
    }
    return next;
}

// Computes fair starts for a log in which some jobs become eligible, and so arrive, only after
// their submit times.
std::vector<Time> fair_starts_by_arrival(const EligibleArrivals& arrivals, const Site& site,
                                         const Schedule& schedule, std::span<const JobId> which,
                                         const Progress& progress) {
    const std::vector<JobId> row_of = inverse(arrivals.rows());
    std::vector<std::pair<JobId, std::size_t>> rows; // row in arrivals.table(), position in `which`
    for (std::size_t i = 0; i < which.size(); ++i)
        rows.emplace_back(row_of[which[i]], i);
    std::sort(rows.begin(), rows.end());
    std::vector<JobId> ascending;
    for (const auto& row : rows)
        ascending.push_back(row.first);
    const std::vector<Time> found =
        fair_starts(arrivals.table(), arrivals.site_of_rows(site),
                    starts_by_arrival(schedule, arrivals), ascending, progress);
    std::vector<Time> fair(which.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        fair[rows[i].second] = found[i];
    return fair;
}

// A bijection that maps neighbouring numbers to scattered ones.
std::uint64_t scatter(std::uint64_t x) {
    return SplitMix64(x).next();
}

} // namespace

std::vector<Time> fair_starts(const std::shared_ptr<const JobTable>& table, const Site& site,
                              const Schedule& schedule, std::span<const JobId> which,
                              const Progress& progress) {
    if (schedule.start.size() != table->size())
        throw std::invalid_argument("the schedule has " + std::to_string(schedule.start.size()) +
                                    " jobs, but the trace has " + std::to_string(table->size()) +
                                    "; pass the schedule of this trace");
    const EligibleArrivals arrivals(table, site);
    if (arrivals.any()) return fair_starts_by_arrival(arrivals, site, schedule, which, progress);
    const std::vector<Time> next_arrival = next_arrivals(*table, site.processors);
    Simulator replay(table, PreparedSite(site));
    const std::vector<Time> first = first_starts(schedule.start, schedule.interrupted);
    std::vector<Time> fair(which.size(), kNotStarted);
    auto reported = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < which.size(); ++i) {
        const JobId job = which[i];
        const Time start = first[job];
        if (start == kNotStarted) continue;
        if (start < next_arrival[job]) {
            fair[i] = start;
            continue;
        }
        replay.run_before(table->submit[job]);
        Simulator alone(replay);
        alone.arrivals().close_at(job + 1);
        alone.run({}, job);
        fair[i] = alone.schedule().start[job];
        const auto now = std::chrono::steady_clock::now();
        if (!progress || now - reported < kReportEvery) continue;
        reported = now;
        progress(static_cast<double>(i + 1) / static_cast<double>(which.size()));
    }
    return fair;
}

std::vector<Time> first_starts(std::span<const Time> start, std::span<const Attempt> interrupted) {
    std::vector<Time> first(start.begin(), start.end());
    for (const Attempt& attempt : interrupted)
        if (attempt.number == 1) first[attempt.job] = attempt.start;
    return first;
}

std::vector<JobId> sample_started(const Schedule& schedule, std::size_t count, std::uint64_t seed) {
    std::vector<JobId> jobs;
    for (std::size_t job = 0; job < schedule.start.size(); ++job)
        if (schedule.start[job] != kNotStarted) jobs.push_back(static_cast<JobId>(job));
    if (count >= jobs.size()) return jobs;
    const std::uint64_t key = scatter(seed);
    const auto cut = jobs.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(jobs.begin(), cut, jobs.end(), [&](JobId a, JobId b) {
        return scatter(key ^ a) < scatter(key ^ b); // no ties: scatter() is a bijection
    });
    jobs.resize(count);
    std::sort(jobs.begin(), jobs.end());
    return jobs;
}

} // namespace slotwise
