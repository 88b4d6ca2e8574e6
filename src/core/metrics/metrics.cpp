#include "metrics/metrics.hpp"

#include "metrics/contiguity.hpp"
#include "metrics/distribution.hpp"
#include "metrics/fair_start.hpp"
#include "metrics/timeline.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace slotwise {

namespace {

// The jobs that one row of a table describes: all jobs in the measured span, or only the jobs of
// one group.
struct Sample {
    std::vector<JobId> ran;
    std::int64_t jobs = 0;
    std::int64_t rejected = 0;
    std::int64_t killed = 0;
    std::int64_t backfilled = 0;
    std::int64_t trimmed = 0;
    WideInt attempts = 0; // requeued attempts of jobs submitted in the measured span
    WideInt interrupted = 0;
    WideInt lost = 0; // processor-seconds
    WideInt refunded = 0;

    void add(const ReplayColumns& columns, const MeasuredSpan& window, JobId job) {
        if (!window.admits(columns.submit[job])) {
            ++trimmed;
            return;
        }
        ++jobs;
        rejected += columns.state[job] == static_cast<std::uint8_t>(State::rejected);
        killed += columns.state[job] == static_cast<std::uint8_t>(State::killed);
        if (!columns.started(job)) return;
        ran.push_back(job);
        backfilled += columns.backfilled[job] != 0;
    }

    void add(const ReplayColumns& columns, const MeasuredSpan& window, const Attempt& attempt) {
        if (!window.admits(columns.submit[attempt.job])) return;
        attempts += attempt.requeued; // a job's last attempt is counted as part of `ran`
        interrupted += attempt.reason != EndReason::cancelled;
        lost += attempt.lost;
        refunded += attempt.refunded;
    }
};

double ratio(WideInt part, WideInt whole) {
    if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(part) / static_cast<double>(whole);
}

Time overlap(const MeasuredSpan& window, Time from, Time to) {
    return std::max<Time>(0, std::min(to, window.end) - std::max(from, window.begin));
}

void add_distribution(Metrics& out, const std::string& name, const Distribution& distribution) {
    out.push_back({"mean_" + name, distribution.mean});
    out.push_back({"median_" + name, distribution.median});
    out.push_back({"p95_" + name, distribution.p95});
    out.push_back({"max_" + name, distribution.max});
}

// For each job that ran, stores value_of(job) in `values`. Then appends the distribution of these
// values.
template <class Value, class ValueOf>
void describe(Metrics& out, const char* name, const Sample& sample, std::vector<Value>& values,
              ValueOf&& value_of) {
    values.resize(sample.ran.size());
    std::transform(sample.ran.begin(), sample.ran.end(), values.begin(), value_of);
    add_distribution(out, name, distribution_of(std::span<const Value>(values)));
}

void add_job_metrics(Metrics& out, const ReplayColumns& columns, const Sample& sample,
                     std::int64_t threshold) {
    std::vector<std::int64_t> times;
    describe(out, "wait", sample, times, [&](JobId job) { return columns.wait(job); });
    describe(out, "response", sample, times, [&](JobId job) { return columns.response(job); });

    std::vector<double> ratios;
    const auto bounded = [&](JobId job, std::int64_t least, std::int64_t processors) {
        const auto response = static_cast<double>(columns.response(job));
        const auto run = static_cast<double>(processors * std::max(columns.run(job), least));
        return std::max(1.0, response / run);
    };
    describe(out, "slowdown", sample, ratios, [&](JobId job) { return bounded(job, 1, 1); });
    describe(out, "bounded_slowdown", sample, ratios,
             [&](JobId job) { return bounded(job, threshold, 1); });
    describe(out, "bounded_slowdown_floor", sample, ratios, [&](JobId job) {
        const std::int64_t run = std::max(columns.run(job), threshold);
        return static_cast<double>(columns.wait(job) + run) / static_cast<double>(run);
    });
    describe(out, "per_processor_bounded_slowdown", sample, ratios,
             [&](JobId job) { return bounded(job, threshold, columns.processors[job]); });
}

void add_area_metrics(Metrics& out, const ReplayColumns& columns, const Sample& sample) {
    WideInt area = 0, weighted_response = 0, weighted_wait = 0;
    for (const JobId job : sample.ran) {
        const WideInt job_area = WideInt{columns.processors[job]} * columns.run(job);
        area += job_area;
        weighted_response += job_area * columns.response(job);
        weighted_wait += job_area * columns.wait(job);
    }
    out.push_back({"area_weighted_response", ratio(weighted_response, area)});
    out.push_back({"area_weighted_wait", ratio(weighted_wait, area)});
}

void add_counts(Metrics& out, const Sample& sample) {
    const auto add = [&](const char* name, std::int64_t count) {
        out.push_back({name, static_cast<double>(count)});
    };
    add("n_jobs", sample.jobs);
    add("n_started", static_cast<std::int64_t>(sample.ran.size()));
    add("n_rejected", sample.rejected);
    add("n_killed", sample.killed);
    add("n_backfilled", sample.backfilled);
    add("n_trimmed", sample.trimmed);
}

// Integrals over the measured span. A job that is submitted before the span or ends after it counts
// only for the time within the span during which it waits or runs.
struct Usage {
    WideInt busy = 0;              // processor-seconds
    WideInt available = 0;         // processor-seconds of the available processors
    WideInt queued_jobs = 0;       // job-seconds
    WideInt queued_processors = 0; // processor-seconds requested
    WideInt lost = 0;              // idle processor-seconds that queued jobs could have used
    std::int64_t longest_queue = 0;
    std::int64_t ended = 0;

    void add(const MeasuredSpan& window, Time from, Time to, const Level& level) {
        const Time length = overlap(window, from, to);
        if (length == 0) return;
        const std::int64_t free =
            std::max<std::int64_t>(0, level.available_processors - level.busy_processors);
        available += WideInt{level.available_processors} * length;
        busy += WideInt{level.busy_processors} * length;
        queued_jobs += WideInt{level.queued_jobs} * length;
        queued_processors += WideInt{level.queued_processors} * length;
        lost += WideInt{std::min(free, level.queued_processors)} * length;
        longest_queue = std::max(longest_queue, level.queued_jobs);
    }
};

Usage usage_of(const ReplayColumns& columns, const MeasuredSpan& window) {
    Usage usage;
    Time since = window.begin;
    Level before;
    before.available_processors = columns.machine;
    Timeline(columns).for_each_instant([&](Time now, const Level& level) {
        usage.add(window, since, now, before);
        since = now;
        before = level;
    });
    for (std::size_t job = 0; job < columns.size(); ++job)
        usage.ended += columns.started(job) && columns.end[job] >= window.begin &&
                       columns.end[job] <= window.end;
    return usage;
}

void add_machine_metrics(Metrics& out, const ReplayColumns& columns, const MeasuredSpan& window,
                         const MeasuredSpan& whole) {
    const Usage usage = usage_of(columns, window);
    const WideInt span = window.span();
    const WideInt capacity = span * columns.machine;
    out.push_back({"utilisation", ratio(usage.busy, capacity)});
    out.push_back({"loss_of_capacity", ratio(usage.lost, capacity)});
    out.push_back({"makespan", static_cast<double>(whole.span())});
    out.push_back({"mean_queue_length", ratio(usage.queued_jobs, span)});
    out.push_back({"max_queue_length", static_cast<double>(usage.longest_queue)});
    out.push_back({"mean_queued_processors", ratio(usage.queued_processors, span)});
    out.push_back({"mean_busy_processors", ratio(usage.busy, span)});
    out.push_back({"throughput", ratio(WideInt{usage.ended} * 3600, span)});
    if (columns.has_calendar)
        out.push_back({"utilisation_of_available", ratio(usage.busy, usage.available)});
}

void add_attempt_metrics(Metrics& out, const Sample& sample) {
    const auto add = [&](const char* name, WideInt value, double unit) {
        out.push_back({name, static_cast<double>(value) / unit});
    };
    add("n_attempts", sample.attempts + static_cast<WideInt>(sample.ran.size()), 1);
    add("n_interrupted", sample.interrupted, 1);
    add("lost_processor_hours", sample.lost, 3600);
    add("refunded_processor_hours", sample.refunded, 3600);
}

// Appends the metrics of the jobs in the sample that have a known fair start.
void add_fair_start_metrics(Metrics& out, const ReplayColumns& columns, const Sample& sample,
                            std::span<const Time> fair_start) {
    const std::vector<Time> start = first_starts(columns.start, columns.interrupted);
    WideInt missed = 0;
    std::int64_t known = 0, late = 0;
    for (const JobId job : sample.ran) {
        if (fair_start[job] == kNotStarted) continue;
        ++known;
        late += start[job] > fair_start[job];
        missed += std::max<Time>(0, start[job] - fair_start[job]);
    }
    out.push_back({"n_fair_start", static_cast<double>(known)});
    out.push_back({"mean_fair_start_missed", ratio(missed, known)});
    out.push_back({"share_fair_start_missed", ratio(late, known)});
}

void check_options(const ReplayColumns& columns, const MetricsOptions& options) {
    if (!options.fair_start.empty() && options.fair_start.size() != columns.size())
        throw std::invalid_argument("fair_start has " + std::to_string(options.fair_start.size()) +
                                    " values and submit has " + std::to_string(columns.size()) +
                                    "; pass one value per job, -1 if it is unknown");
    if (options.threshold >= 1 && options.threshold <= std::int64_t{kMaxDuration}) return;
    throw std::invalid_argument("threshold is " + std::to_string(options.threshold) +
                                "; use a number of seconds from 1 to 2^32 - 2 (10 is usual)");
}

// Returns the number as a user would write it, for example 0.05 or 1e+300.
std::string written(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

Time trimmed_seconds(const char* side, double trim, Time span) {
    if (!(trim >= 0) || !(trim <= static_cast<double>(kMaxTime)))
        throw std::invalid_argument(
            std::string("trim ") + side + " is " + written(trim) +
            "; use a fraction of the span (below 1), or seconds (1 or more)");
    return static_cast<Time>(std::floor(trim < 1 ? trim * static_cast<double>(span) : trim));
}

} // namespace

MeasuredSpan measured_span(const ReplayColumns& columns, const Trim& trim) {
    if (columns.size() == 0) return {0, 0, true, true};
    MeasuredSpan window{columns.submit.front(), columns.submit.front(), trim.begin == 0,
                        trim.end == 0};
    for (std::size_t job = 0; job < columns.size(); ++job)
        window.end = std::max(window.end, columns.end[job]);
    for (const Attempt& attempt : columns.interrupted)
        window.end = std::max(window.end, attempt.end);
    const Time span = window.span();
    window.begin += trimmed_seconds("begin", trim.begin, span);
    window.end -= trimmed_seconds("end", trim.end, span);
    if (window.span() > 0 || (window.open_begin && window.open_end)) return window;
    throw std::invalid_argument("trim (" + written(trim.begin) + ", " + written(trim.end) +
                                ") removes the whole span of " + std::to_string(span) +
                                " s, from the first submit time to the last end; trim less");
}

Metrics metrics_of(const ReplayColumns& columns, const MetricsOptions& options) {
    check(columns);
    check_options(columns, options);
    const MeasuredSpan window = measured_span(columns, options.trim);
    Sample sample;
    sample.ran.reserve(columns.size());
    for (std::size_t job = 0; job < columns.size(); ++job)
        sample.add(columns, window, static_cast<JobId>(job));
    for (const Attempt& attempt : columns.interrupted)
        sample.add(columns, window, attempt);

    Metrics out;
    add_counts(out, sample);
    if (columns.has_calendar) add_attempt_metrics(out, sample);
    out.push_back({"n_dropped", static_cast<double>(options.dropped)});
    add_job_metrics(out, columns, sample, options.threshold);
    add_area_metrics(out, columns, sample);
    add_machine_metrics(out, columns, window, measured_span(columns, {}));
    if (columns.placements != nullptr) add_contiguity_metrics(out, columns, sample.ran, window);
    if (!options.fair_start.empty())
        add_fair_start_metrics(out, columns, sample, options.fair_start);
    out.push_back({"processors", static_cast<double>(columns.machine)});
    out.push_back({"threshold", static_cast<double>(options.threshold)});
    out.push_back({"window_begin", static_cast<double>(window.begin)});
    out.push_back({"window_end", static_cast<double>(window.end)});
    return out;
}

std::vector<Metrics> metrics_by_group(const ReplayColumns& columns, const MetricsOptions& options,
                                      std::span<const std::int32_t> group, std::int32_t groups) {
    check(columns);
    check_options(columns, options);
    if (group.size() != columns.size())
        throw std::invalid_argument("group has " + std::to_string(group.size()) +
                                    " values and submit has " + std::to_string(columns.size()) +
                                    "; pass one group per job");
    const MeasuredSpan window = measured_span(columns, options.trim);
    std::vector<Sample> samples(static_cast<std::size_t>(std::max(groups, 0)));
    std::vector<WideInt> busy(samples.size(), 0);
    for (std::size_t job = 0; job < columns.size(); ++job) {
        if (group[job] < 0) continue;
        if (group[job] >= groups)
            throw std::invalid_argument("group[" + std::to_string(job) + "] is " +
                                        std::to_string(group[job]) + "; it must be less than " +
                                        std::to_string(groups) + ", the number of groups");
        const auto at = static_cast<std::size_t>(group[job]);
        samples[at].add(columns, window, static_cast<JobId>(job));
        if (columns.started(job))
            busy[at] += WideInt{columns.processors[job]} *
                        overlap(window, columns.start[job], columns.end[job]);
    }
    for (const Attempt& attempt : columns.interrupted) {
        const std::int32_t at = group[attempt.job];
        if (at < 0) continue;
        samples[static_cast<std::size_t>(at)].add(columns, window, attempt);
        if (attempt.requeued)
            busy[static_cast<std::size_t>(at)] += WideInt{columns.processors[attempt.job]} *
                                                  overlap(window, attempt.start, attempt.end);
    }
    std::vector<Metrics> out(samples.size());
    const WideInt capacity = WideInt{window.span()} * columns.machine;
    for (std::size_t at = 0; at < samples.size(); ++at) {
        add_counts(out[at], samples[at]);
        if (columns.has_calendar) add_attempt_metrics(out[at], samples[at]);
        add_job_metrics(out[at], columns, samples[at], options.threshold);
        add_area_metrics(out[at], columns, samples[at]);
        out[at].push_back({"utilisation", ratio(busy[at], capacity)});
    }
    return out;
}

std::vector<Time> waits_of(const ReplayColumns& columns) {
    std::vector<Time> waits(columns.size());
    for (std::size_t job = 0; job < waits.size(); ++job)
        waits[job] = columns.started(job) ? columns.wait(job) : kNotStarted;
    return waits;
}

} // namespace slotwise
