// The registry of backfill rules. Each entry defines the rule's parameters, the policy fields that
// it reads, the machines and sites that it supports, and how it plans.
//
// The checks of a site, the planners for pools and nodes, and the Python package read these facts.
// Adding a backfill rule therefore requires no change to them.
#pragma once

#include "registry.hpp"
#include "site/policy.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotwise {

class Scheduler;
struct ReplayContext;

// The kinds of machines and sites, besides plain processors, for which a backfill rule can be used.
struct WorksOn {
    bool pools = false;           // pools, queues, limits, a calendar, dependencies
    bool torus = false;           // nodes with positions; a job may get any free nodes
    bool intervals = false;       // a torus whose jobs get consecutive nodes
    bool intervals_alone = false; // like `intervals`, on sites without queues
    bool nodes = false;           // nodes with several resources
    bool nodes_alone = false;     // nodes with several resources, on sites without queues
    bool underway = true;         // the rule may replace another one during a replay
};

// How a backfill rule makes reservations and starts jobs, in a pool or on nodes.
struct PlanRule {
    std::int64_t reservations = 0; // largest number per pass
    bool closes = false;           // the pass stops at the first job that does not fit
    bool relaxes = false;          // a reserved start may be later than the earliest possible one
    bool by_queue = false;         // one reservation per queue
    bool promises = false;         // jobs start only at promised times
    double relaxation = 0;         // allowed delay, as a share of the expected wait

    bool operator==(const PlanRule&) const = default;
};

// A rule of the EASY family, under which only the head of the queue can have a reservation.
struct HeadRule {
    bool others_pass; // true if jobs behind the head may start
    bool reserves;    // true if the head's reservation decides which of them may start
    // True if the head may start later than its first shadow time, up to a deadline.
    bool relaxes;

    bool operator==(const HeadRule&) const = default;
};

inline constexpr HeadRule kEasy{.others_pass = true, .reserves = true, .relaxes = false};

inline constexpr std::int64_t kReserveForAll = std::numeric_limits<std::int64_t>::max();

using SchedulerFactory = std::unique_ptr<Scheduler> (*)(const ReplayContext&);

struct BackfillEntry {
    std::string name;
    std::string doc;       // one-line description
    std::string reference; // publication that describes the rule, or empty
    std::vector<ParameterInfo> parameters;
    std::vector<std::string> reads; // fields of Policy that it reads, named as in site files
    // Maps a parameter to the fields that are read only if the parameter is given.
    std::map<std::string, std::vector<std::string>> reads_given;
    WorksOn works_on;
    bool places_jobs = false; // chooses the nodes of a torus itself
    // True if jobs on whole nodes of a single type start at the same times as on plain processors.
    bool plans_nodes_as_processors = false;
    std::optional<HeadRule> head = {}; // given only for rules of the EASY family

    // Returns the rule for a pool that is used by `queues` queues. The pointer is null if only
    // `make` can create a planner.
    PlanRule (*plan)(const Policy& policy, std::int64_t queues) = nullptr;
    SchedulerFactory make; // makes planners for plain processors or a torus
    // Makes planners for nodes. If null, a general planner uses the rule that `plan` returns.
    SchedulerFactory make_on_nodes = nullptr;
};

using BackfillRegistry = Registry<SchedulerFactory, BackfillEntry>;

BackfillRegistry& backfill_registry();

// Returns the policy fields read by every backfill rule that uses the queue, followed by `more`.
std::vector<std::string> queue_and(std::vector<std::string> more);

// Returns the value given for a parameter, or its default. Planners call this when they are
// constructed, not during a pass. Throws std::logic_error if the backfill rule of `policy` has no
// such parameter.
double parameter_of(const Policy& policy, const std::string& name);

bool has_parameter(const Policy& policy, const std::string& name);

// Returns the PlanRule of the policy's backfill rule, for a pool that is used by `queues` queues.
// The backfill rule must have a PlanRule.
PlanRule plan_of(const Policy& policy, std::int64_t queues = 1);

// Returns true if the backfill rule of `policy` plans one fixed reservation, for the first job that
// cannot start, and makes no promises.
bool plans_as_easy(const Policy& policy);

// Returns true if jobs start only at promised times.
bool plans_promises(const Policy& policy);

} // namespace slotwise
