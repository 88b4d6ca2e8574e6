// Metrics of a schedule. The formulas, units and sources are in docs/metrics.md.
#pragma once

#include "metrics/replay_columns.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

struct Metric {
    std::string name;
    double value; // NaN if there is nothing to average
};
using Metrics = std::vector<Metric>;

// The warm-up and the cool-down, which are excluded from metrics. A value below 1 is a fraction of
// the span from the first submit time to the last end; a value of 1 or more is a number of seconds.
struct Trim {
    double begin = 0;
    double end = 0;
};

struct MetricsOptions {
    std::int64_t threshold = 10; // seconds, >= 1: the minimum run time in bounded slowdowns
    Trim trim;
    std::int64_t dropped = 0; // number of lines that the reader dropped; reported unchanged
    // One fair start per job, or kNotStarted if it is unknown. If this is empty, there are no
    // fair-start metrics.
    std::span<const Time> fair_start = {};
};

// The part of a replay that metrics cover.
struct MeasuredSpan {
    Time begin; // first submit time of the trace (including jobs that never ran) plus the warm-up
    Time end;   // last end minus the cool-down
    bool open_begin; // true if there is no warm-up; `begin` then excludes no job
    bool open_end;   // true if there is no cool-down; `end` then excludes no job

    Time span() const { return end - begin; }
    bool admits(Time submit) const {
        return (open_begin || submit >= begin) && (open_end || submit <= end);
    }
};

// Throws std::invalid_argument if the trim is negative or would exclude the whole replay.
MeasuredSpan measured_span(const ReplayColumns& columns, const Trim& trim);

// Returns all metrics of a replay. Throws std::invalid_argument if check() rejects the columns or
// if an option is out of range.
Metrics metrics_of(const ReplayColumns& columns, const MetricsOptions& options);

// Returns the per-job metrics of each group, in the order of the groups. group[job], in [0,
// groups), is the group of a job; -1 means that the job is in no group. `utilisation` is the share
// of the machine that the group used, so the values of several groups can be added.
std::vector<Metrics> metrics_by_group(const ReplayColumns& columns, const MetricsOptions& options,
                                      std::span<const std::int32_t> group, std::int32_t groups);

// Returns the total time that each job spent in the queue, or kNotStarted if the job never ran.
std::vector<Time> waits_of(const ReplayColumns& columns);

} // namespace slotwise
