// Replays one trace for many sites, on several threads.
#pragma once

#include "engine/simulator.hpp"
#include "metrics/metrics.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

struct SweepRow {
    Metrics metrics;
    double seconds = 0;                 // wall time of the replay
    std::shared_ptr<Schedule> schedule; // null unless `keep_schedules` is set
};

struct SweepOptions {
    MetricsOptions metrics;
    unsigned workers = 1; // threads, at least 1
    bool keep_schedules = false;
    bool computes_metrics = true;
};

// The first site, in the given order, whose replay failed, and the error that it raised.
struct SweepFault {
    std::size_t site; // position in the sweep
    std::exception_ptr fault;
};

// Returns one row per site, in the order of `sites`. Apart from wall times, the rows do not depend
// on the number of threads. The calling thread calls `progress` about ten times a second with the
// fraction that is done. Throws SweepFault if a replay fails, and rethrows any exception from
// `progress`; the remaining replays are then stopped.
std::vector<SweepRow> sweep(const std::shared_ptr<const JobTable>& table,
                            std::span<const Site> sites, const SweepOptions& options,
                            const Progress& progress = {});

} // namespace slotwise
