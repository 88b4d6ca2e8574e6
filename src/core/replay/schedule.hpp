// What a replay decided: one row a job of the trace.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "replay/attempts.hpp"
#include "replay/placements.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

enum class State : std::uint8_t {
    completed = 0,
    killed = 1, // at its limit
    rejected = 2,
    cancelled = 3,
    interrupted = 4, // by a crash or an outage, and not queued again
    waiting = 5,     // for ever, or at the time of a look at a replay that goes on
    running = 6      // likewise
};

// From `time` on the machine has so many processors, busy or free.
struct CapacityChange {
    Time time;
    ProcCount processors;
};

// Why a job is rejected.
enum class RejectReason : std::uint8_t {
    none = 0,
    too_large = 1,  // for the machine, or for every pool of its queue
    no_queue = 2,   // no queue takes it
    limit = 3,      // it alone is above a limit of processors
    maintenance = 4,   // it is longer than the room between two maintenances
    over_submitted = 5 // as it was submitted, a limit of submitted jobs was full
};

struct Schedule {
    // Of the last attempt; kNotStarted where the job never ran, and then so are end and wait.
    std::vector<Time> start;
    std::vector<Time> end;
    std::vector<std::uint8_t> state;      // of State
    std::vector<std::uint8_t> backfilled; // 1 where it started past a waiting job that precedes it
    std::vector<std::uint8_t> reject_reason; // of RejectReason; empty: none but too_large
    // Of a site that is not plain, positions in its lists; -1: none.
    std::vector<std::int16_t> queue; // where the site has queues and the job is not rejected
    std::vector<std::int16_t> pool;  // that of the last start; -1 too where it ran in several
    Placements placements;           // empty where the machine has no nodes

    JobPlaces places{0}; // of the last start, on nodes with several resources

    // What one attempt had of one of several pools.
    struct Span {
        JobId job;
        Time start;
        PoolId pool;
        ProcCount processors;
    };
    std::vector<Span> spans; // of jobs that ran in several, in order of time

    std::vector<Attempt> interrupted;     // attempts stopped before their end, in order of time
    bool has_calendar = false;            // jobs or processors may have been taken by date
    std::vector<CapacityChange> capacity; // where processors were; empty: always all
};

// Every attempt, by job and number: those that were stopped and the last of every job that ended by
// itself.
std::vector<Attempt> attempts_of(const Schedule& schedule);

} // namespace slotwise
