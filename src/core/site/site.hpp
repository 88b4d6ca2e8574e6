// Everything that a replay needs in addition to the trace, as plain values.
#pragma once

#include "site/limits.hpp"
#include "site/named_limits.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotwise {

class Torus;
class DependencyLists;
struct JobDemands;

using PoolId = std::uint16_t;  // position in Site::pools
using QueueId = std::uint16_t; // position in Site::queues

inline constexpr PoolId kAnyPool = 0xFFFF;
inline constexpr QueueId kNoQueue = 0xFFFF;

// A set of processors that belong to no other pool. If a pool has a threshold, a job may use the
// pool only if its slowdown factor (see docs/glossary.md) is above the threshold.
struct Pool {
    std::string name;
    ProcCount processors = 0;
    bool has_threshold = false;
    double threshold = 0;
};

struct DayTimes { // seconds of the day, [open, close); if close <= open, it spans midnight
    std::int32_t open;
    std::int32_t close;

    bool operator==(const DayTimes&) const = default;
};

struct Queue {
    std::string name;
    bool has_ranges = true; // false: accepts only jobs mapped by trace_queues or trace_partitions
    std::int64_t min_processors = 1;
    std::int64_t max_processors = kNever;
    std::int64_t above_requested_time = 0; // exclusive lower bound
    std::int64_t max_requested_time = kNever;
    // The requested time that is assumed for jobs without one, unless their run time is longer.
    Duration default_requested_time = 0;
    std::vector<std::int32_t> trace_queues; // queue numbers of the trace that map to this queue
    // Partitions of the trace that map to this queue; `trace_queues` take precedence.
    std::vector<std::int32_t> trace_partitions;
    double priority = 0;
    bool has_order = false; // if true, `order` replaces the policy's order
    OrderSpec order;
    Limits limits;
    Time starvation = kNever;        // wait after which a job is starving
    std::vector<DayTimes> hours;     // opening hours; empty: always open
    std::vector<PoolId> pools;       // pools that it may use, in order of preference
    bool spanning = false;           // its jobs reserve processors in several pools in advance
    std::vector<std::int32_t> nodes; // nodes that it may use, ascending; empty: all
    std::int64_t min_nodes = 0;      // bounds on the number of nodes of its jobs
    std::int64_t max_nodes = kNever;
    std::int64_t tier = 1;  // slurm backfill rule: jobs in a higher tier come before all others
    bool exclusive = false; // slurm backfill rule: its jobs take whole nodes
};

// The nodes of an outage or a reservation: either specific nodes, or a number of nodes of one type.
struct NodeChoice {
    std::vector<std::int32_t> named; // ascending
    std::int32_t type = -1;          // position in the machine's node types; -1: none
    std::int32_t count = 0;          // number of nodes of the type; 0: all
};

// A downtime of some or all processors, either once or at regular intervals.
struct Outage {
    enum class Mode : std::uint8_t {
        drain, // announced: no job starts if its estimated run would overlap the outage
        kill,  // announced; jobs may start, and are killed when the outage begins
        sudden // unknown until it begins, when it kills jobs
    };
    std::string name;
    Mode mode = Mode::drain;
    Time start = 0;
    Time duration = 0;
    Time every = 0; // 0: once
    PoolId pool = kAnyPool;
    ProcCount processors = 0; // 0: all processors of the pool or machine
    NodeChoice nodes;         // on a machine with nodes: the nodes that are down
};

// Processors reserved for certain users or groups.
struct UserReservation {
    std::string name;
    Time start = 0;
    Time duration = 0;
    Time every = 0; // 0: once
    PoolId pool = 0;
    ProcCount processors = 0;
    JobOwners owners;
    NodeChoice nodes; // on a machine with nodes: the reserved nodes
};

enum class Requeue : std::uint8_t { never, from_start, from_checkpoint };

// Rules for a job that is killed by a crash or an outage.
struct Interruption {
    Requeue requeue = Requeue::from_start;
    Time checkpoint_every = 0; // seconds of work; 0: none
    Time checkpoint_at = 0;    // seconds of work before the only checkpoint; 0: none
    Time checkpoint_cost = 0;  // seconds per checkpoint
    Time refund = 0;           // maximum number of elapsed seconds refunded per lost attempt
};

// Failures of the whole machine or, if `per_node` is true, of single nodes. A failure kills all
// jobs that are running on the machine or on the node.
struct Crashes {
    enum class Law : std::uint8_t { none, exponential, weibull };
    std::vector<Time> times;
    Law law = Law::none;
    double mean = 0;  // seconds between two crashes (exponential), or the scale (Weibull)
    double shape = 1; // shape of the Weibull distribution
    std::uint64_t seed = 0;
    Time repair = 0;       // seconds until the processors are back
    bool per_node = false; // each node fails independently, with the same distribution
};

// The effect of a job's nodes on its run time. The sensitive jobs are the first round(beta · n) of
// a random permutation of the n jobs in the trace. Estimates do not take this effect into account.
struct PlacementEffect {
    double alpha = 0; // share of the run time saved on consecutive nodes
    double gamma = 0; // share of the run time added for a job scattered at random over the machine
    double beta = 1;  // share of sensitive jobs
    std::uint64_t seed = 0;

    bool is_none() const { return (alpha == 0 && gamma == 0) || beta == 0; }
};

struct Site {
    ProcCount processors = 0;
    std::shared_ptr<const Torus> torus; // null if the machine is not a torus
    PlacementEffect placement;
    std::shared_ptr<const JobDemands> demands; // null unless nodes have several resources
    // Weights of the node classes, used by the slurm backfill rule; empty if all are equal.
    std::vector<std::int64_t> node_weights;
    Policy policy;
    std::vector<Pool> pools; // empty: one pool of all processors
    std::vector<Queue> queues;
    Limits limits;
    std::vector<NamedLimits> named_limits;
    std::vector<Outage> outages;
    Crashes crashes;
    Interruption interruption;
    std::vector<UserReservation> reservations;
    bool dependencies = false; // the replay respects the trace's dependencies and array limits
    std::shared_ptr<const DependencyLists> dependency_lists; // lists of the trace; null: none
    bool plans_queues = false; // the replay uses queue planners even if simpler ones suffice
    Time midnight = 0;         // a midnight on the machine's clock, as a time in the trace
    Time local_epoch = 0;      // time 0 of the trace on the machine's clock, in seconds since 1970

    bool has_calendar() const {
        return !outages.empty() || !crashes.times.empty() || crashes.law != Crashes::Law::none ||
               !reservations.empty();
    }

    // Returns true if the site has limits that count the jobs of all queues together.
    bool has_limits() const { return limits != Limits{} || !named_limits.empty(); }

    // Returns true if the machine is a torus. Jobs on a torus take whole nodes.
    bool has_torus() const { return torus != nullptr; }

    bool has_nodes() const { return demands != nullptr; }

    // Returns true if the node planners without queues are sufficient. This requires reservations
    // for specific nodes, and a policy and demands that these planners support.
    bool suits_nodes_alone() const;

    // Returns true if the torus planners without queues are sufficient, that is, if one of them
    // makes the reservations that the policy requires.
    bool suits_torus_alone() const;

    // Returns true if the machine and the policy describe the site completely.
    bool is_plain() const {
        return pools.empty() && queues.empty() && !has_limits() && !has_calendar() &&
               !dependencies && (!has_nodes() || suits_nodes_alone()) &&
               (!has_torus() || suits_torus_alone());
    }
};

} // namespace slotwise
