#include "metrics/contiguity.hpp"

#include "machine/torus/dispersal.hpp"
#include "machine/torus/slots.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct BusyChange { // the start or the end of a job on its nodes
    Time time;
    bool takes; // true: nodes become busy; false: nodes become free
    JobId job;
};

// Returns the starts and ends of the jobs, in time order. Leaves out jobs of length 0, because they
// never keep a node busy.
std::vector<BusyChange> changes_of(const ReplayColumns& columns) {
    std::vector<BusyChange> changes;
    for (JobId job = 0; job < columns.size(); ++job) {
        if (!columns.started(job) || columns.start[job] == columns.end[job]) continue;
        changes.push_back({columns.start[job], true, job});
        changes.push_back({columns.end[job], false, job});
    }
    std::sort(changes.begin(), changes.end(), [](const BusyChange& a, const BusyChange& b) {
        return a.time != b.time ? a.time < b.time : a.takes < b.takes;
    });
    return changes;
}

// Returns the fraction of the free node-seconds in the measured span that lay outside the largest
// slot.
double fragmentation(const ReplayColumns& columns, const MeasuredSpan& span) {
    Slots slots(columns.placements->nodes());
    double free = 0;
    double outside = 0;
    Time since = span.begin;
    const auto hold_until = [&](Time time) {
        time = std::min(time, span.end);
        if (time <= since) return;
        const auto seconds = static_cast<double>(time - since);
        free += seconds * slots.free();
        outside += seconds * (slots.free() - slots.largest_size());
        since = time;
    };
    for (const BusyChange& change : changes_of(columns)) {
        hold_until(change.time);
        for (const NodeInterval& nodes : columns.placements->of(change.job))
            change.takes ? slots.allocate(nodes) : slots.release(nodes);
    }
    hold_until(span.end);
    return free > 0 ? outside / free : kNaN;
}

} // namespace

Contiguity contiguity_of(const Placements& placements, const Torus& torus) {
    Contiguity found;
    found.mean_distance = mean_distances_of(placements, torus);
    for (JobId job = 0; job < placements.size(); ++job) {
        const auto nodes = placements.of(job);
        found.pieces.push_back(static_cast<std::int32_t>(nodes.size()));
        found.max_distance.push_back(nodes.empty() ? -1 : max_distance(torus, nodes));
    }
    return found;
}

std::vector<double> mean_distances_of(const Placements& placements, const Torus& torus) {
    std::vector<double> found;
    for (JobId job = 0; job < placements.size(); ++job) {
        const auto nodes = placements.of(job);
        found.push_back(nodes.empty() ? kNaN : mean_distance(torus, nodes));
    }
    return found;
}

void add_contiguity_metrics(Metrics& out, const ReplayColumns& columns, std::span<const JobId> ran,
                            const MeasuredSpan& span) {
    double contiguous = 0;
    double pieces = 0;
    for (const JobId job : ran) {
        const std::size_t count = columns.placements->of(job).size();
        contiguous += count == 1 ? 1 : 0;
        pieces += static_cast<double>(count);
    }
    const auto jobs = static_cast<double>(ran.size());
    out.push_back({"share_contiguous", ran.empty() ? kNaN : contiguous / jobs});
    out.push_back({"mean_pieces", ran.empty() ? kNaN : pieces / jobs});
    out.push_back({"fragmentation", fragmentation(columns, span)});
}

} // namespace slotwise
