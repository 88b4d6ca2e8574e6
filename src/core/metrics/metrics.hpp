// Metrics of a schedule. Formulas, units and sources: docs/metrics.md.
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

// Warm-up and cool-down to exclude. A value below 1 is a fraction of the span (first submit time to
// last end); a value of 1 or more is in seconds.
struct Trim {
    double begin = 0;
    double end = 0;
};

struct MetricsOptions {
    std::int64_t threshold = 10; // seconds, >= 1: the minimum run time in bounded slowdowns
    Trim trim;
    std::int64_t dropped = 0; // lines that the reader dropped; passed through
    // One value per job, kNotStarted if unknown. If empty, there are no fair-start metrics.
    std::span<const Time> fair_start = {};
};

// The measured span.
struct MeasuredSpan {
    Time begin; // first submit time of the trace (including jobs that never ran) plus the warm-up
    Time end;   // last end minus the cool-down
    bool open_begin;
    bool open_end; // nothing trimmed on that side: every job there counts

    Time span() const { return end - begin; }
    bool admits(Time submit) const {
        return (open_begin || submit >= begin) && (open_end || submit <= end);
    }
};

// Throws std::invalid_argument if the trim is negative or leaves nothing.
MeasuredSpan measured_span(const ReplayColumns& columns, const Trim& trim);

// All metrics of a replay. Throws std::invalid_argument if check() rejects the columns or an option
// is out of range.
Metrics metrics_of(const ReplayColumns& columns, const MetricsOptions& options);

// The per-job metrics of each group: group[job] in [0, groups) is the group of a job, -1 means
// none. Returns one entry per group, in order; `utilisation` is the group's share of the machine,
// so the values of the groups add up.
std::vector<Metrics> metrics_by_group(const ReplayColumns& columns, const MetricsOptions& options,
                                      std::span<const std::int32_t> group, std::int32_t groups);

// start - submit for each job; kNotStarted if it never ran.
std::vector<Time> waits_of(const ReplayColumns& columns);

} // namespace slotwise
