// Everything of a replay but the trace, as plain values.
#pragma once

#include "site/limits.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotwise {

class Torus;
struct JobDemands;

using PoolId = std::uint16_t;  // position in Site::pools
using QueueId = std::uint16_t; // position in Site::queues

inline constexpr PoolId kAnyPool = 0xFFFF;
inline constexpr QueueId kNoQueue = 0xFFFF;

// A disjoint set of processors. One with a threshold is open only to jobs whose slowdown so far
// times the priority of their queue is above it.
struct Pool {
    std::string name;
    ProcCount processors = 0;
    bool has_threshold = false;
    double threshold = 0;
};

struct DayTimes { // seconds of the day, [open, close); close <= open runs over midnight
    std::int32_t open;
    std::int32_t close;

    bool operator==(const DayTimes&) const = default;
};

struct Queue {
    std::string name;
    bool has_ranges = true; // false: takes only jobs of its trace_queues
    std::int64_t min_processors = 1;
    std::int64_t max_processors = kNever;
    std::int64_t above_requested_time = 0; // (above, max]
    std::int64_t max_requested_time = kNever;
    std::vector<std::int32_t> trace_queues; // numbers of the trace that lead here
    double priority = 0;
    bool has_order = false; // of its own
    OrderSpec order;
    Limits limits;
    Time starvation = kNever;    // wait from which a job starves
    std::vector<DayTimes> hours; // when its jobs may start; empty: always
    std::vector<PoolId> pools;   // it may use, first choice first
    bool spanning = false;       // its jobs take processors of several pools by advance reservation
    std::vector<std::int32_t> nodes; // of a machine of nodes, ascending; empty: all
    std::int64_t min_nodes = 0;      // the fewest nodes that hold its jobs
    std::int64_t max_nodes = kNever;
};

// Nodes that an outage or a reservation concerns: named ones, or so many of a type.
struct NodeChoice {
    std::vector<std::int32_t> named; // ascending
    std::int32_t type = -1;          // position in the types of the machine; -1: no choice by type
    std::int32_t count = 0;          // of the type; 0: all

    bool is_given() const { return !named.empty() || type >= 0; }
};

// Processors that are away, once or every so often.
struct Outage {
    enum class Mode : std::uint8_t {
        drain, // known beforehand: nothing starts that by its estimate would overlap
        kill,  // known beforehand, but jobs may start and are killed when it begins
        sudden // known only when it begins; kills
    };
    std::string name;
    Mode mode = Mode::drain;
    Time start = 0;
    Time duration = 0;
    Time every = 0; // 0: once
    PoolId pool = kAnyPool;
    ProcCount processors = 0; // 0: all of the pool, or of the machine
    NodeChoice nodes;         // of a machine of nodes: those that are away
};

// Processors kept for some users.
struct UserReservation {
    std::string name;
    Time start = 0;
    Time duration = 0;
    Time every = 0; // 0: once
    PoolId pool = 0;
    ProcCount processors = 0;
    std::vector<std::int32_t> users;
    std::vector<std::int32_t> groups;
    NodeChoice nodes; // of a machine of nodes: those that are kept
};

enum class Requeue : std::uint8_t { never, from_start, from_checkpoint };

// What happens to a job that a crash or an outage kills.
struct Interruption {
    Requeue requeue = Requeue::from_start;
    Time checkpoint_every = 0; // seconds of work; 0: none
    Time checkpoint_at = 0;    // one checkpoint, after so much work; 0: none
    Time checkpoint_cost = 0;  // seconds each
    Time refund = 0;           // elapsed seconds of a lost attempt that are given back
};

// The whole machine fails; every running job is killed.
struct Crashes {
    enum class Law : std::uint8_t { none, exponential, weibull };
    std::vector<Time> times;
    Law law = Law::none;
    double mean = 0;  // seconds between two, of the exponential; scale of the Weibull
    double shape = 1; // of the Weibull
    std::uint64_t seed = 0;
    Time repair = 0;       // until processors come back
    bool per_node = false; // each node fails by the law on its own
};

// How the nodes a job gets change its run time, of jobs that are sensitive to it: the first
// round(beta · n) of a random permutation of the n jobs of the trace. Estimates know nothing of it.
struct PlacementEffect {
    double alpha = 0; // share of the run time saved on nodes that follow one another
    double gamma = 0; // slowdown of a job scattered at random over the machine
    double beta = 1;  // share of jobs that are sensitive
    std::uint64_t seed = 0;

    bool is_none() const { return (alpha == 0 && gamma == 0) || beta == 0; }
};

struct Site {
    ProcCount processors = 0;
    std::shared_ptr<const Torus> torus; // whose nodes have these; null: processors have no places
    PlacementEffect placement;
    std::shared_ptr<const JobDemands> demands; // of the jobs on a machine of nodes; null: none
    Policy policy;
    std::vector<Pool> pools; // empty: one, of all processors
    std::vector<Queue> queues;
    Limits limits;
    std::vector<Outage> outages;
    Crashes crashes;
    Interruption interruption;
    std::vector<UserReservation> reservations;
    bool dependencies = false; // preceding_job and think_time of the trace count
    bool plans_queues = false; // also where planners without queues would do
    Time midnight = 0;         // some midnight of the machine's clock, on the trace's

    // Whether something happens by date.
    bool has_calendar() const {
        return !outages.empty() || !crashes.times.empty() || crashes.law != Crashes::Law::none ||
               !reservations.empty();
    }

    // Then a job takes whole nodes.
    bool has_torus() const { return torus != nullptr; }

    // The machine is one of nodes with several resources.
    bool has_nodes() const { return demands != nullptr; }


    // True where the planners of nodes alone do for a machine of nodes: machine and policy say all,
    // and reservations name nodes. site/nodes_alone.cpp
    bool suits_nodes_alone() const;

    // Whether machine and policy say all.
    bool is_plain() const {
        return pools.empty() && queues.empty() && limits == Limits{} && !has_calendar() &&
               !dependencies && (!has_nodes() || suits_nodes_alone());
    }
};

} // namespace slotwise
