// The outcome of a replay, with one row per job in the trace.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "replay/attempts.hpp"
#include "replay/placements.hpp"
#include "replay/whole_node_places.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

enum class State : std::uint8_t {
    completed = 0,
    killed = 1, // at its limit
    rejected = 2,
    cancelled = 3,
    interrupted = 4, // stopped by a crash or an outage, and not queued again
    waiting = 5,     // never started, or still waiting when the replay was stopped
    running = 6      // still running when the replay was stopped
};

// From `time` onwards, the machine has this number of processors, busy or free.
struct CapacityChange {
    Time time;
    ProcCount processors;
};

enum class RejectReason : std::uint8_t {
    none = 0,
    too_large = 1,     // the job is too large for the machine, or for every pool of its queue
    no_queue = 2,      // no queue accepts the job
    limit = 3,         // on its own, the job exceeds a limit on processors or resources
    maintenance = 4,   // the job is longer than any gap between maintenance windows
    over_submitted = 5 // a limit on submitted jobs was reached at its submit time
};

struct Schedule {
    // The start of the job's last attempt. If the job never ran, its start, end and wait are
    // kNotStarted.
    std::vector<Time> start;
    std::vector<Time> end;
    std::vector<std::uint8_t> state;         // values of State
    std::vector<std::uint8_t> backfilled;    // 1 if the job overtook a waiting job
    std::vector<std::uint8_t> reject_reason; // values of RejectReason; empty: all are too_large
    // Positions in the lists of queues and pools of the site; -1 means that there is none. The
    // columns are not set if the site consists only of a machine and a policy.
    std::vector<std::int16_t> queue; // set if the site has queues and the job is not rejected
    std::vector<std::int16_t> pool;  // pool of the last start; -1 also if it ran in several
    Placements placements;           // empty if the machine has no nodes

    JobPlaces places{0}; // places at the last start, on nodes with several resources
    std::shared_ptr<const WholeNodePlaces> whole_nodes; // used instead of `places` if not null

    // For an attempt that ran in several pools, the processors that it used in one of them.
    struct Span {
        JobId job;
        Time start;
        PoolId pool;
        ProcCount processors;
    };
    std::vector<Span> spans; // attempts that ran in several pools, in chronological order

    std::vector<Attempt> interrupted;     // attempts stopped early, in chronological order
    bool has_calendar = false;            // the calendar may have stopped jobs or reduced capacity
    std::vector<CapacityChange> capacity; // empty: all processors were always available
};

// Returns every attempt, sorted by job and number: all stopped attempts and, for each job, its last
// attempt unless it was stopped.
std::vector<Attempt> attempts_of(const Schedule& schedule);

} // namespace slotwise
