// The registry of backfills. Each entry defines the parameters, the policy fields that are read,
// the supported machines and sites, and the planning rule.
//
// Site checks, the planners for pools and nodes, and the package read these facts, so a new
// backfill requires no change in them.
#pragma once

#include "registry.hpp"
#include "site/policy.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slotwise {

class Scheduler;
struct ReplayContext;

// Machines and sites that a backfill can plan for, besides plain processors.
struct WorksOn {
    bool pools = false;           // pools, queues, limits, a calendar, dependencies
    bool torus = false;           // nodes with positions; a job may get any free ones
    bool intervals = false;       // a torus whose jobs get consecutive nodes
    bool intervals_alone = false; // such a torus, with a planner without queues
    bool nodes = false;           // nodes with several resources
    bool nodes_alone = false;     // such nodes, with a planner without queues
    bool stepping = false;        // waiting jobs may be cancelled or held between passes
};

// Reservations and overtaking in a pool, or on nodes, under a backfill.
struct PlanRule {
    std::int64_t reservations = 0; // largest number per pass
    bool closes = false;           // the pass stops at the first job that does not fit
    bool relaxes = false;          // a reserved start may be later than the earliest possible one
    bool by_queue = false;         // one reservation per queue
    bool promises = false;         // only promises start jobs
    double relaxation = 0;         // share of the expected wait, if the rule relaxes
};

inline constexpr std::int64_t kReserveForAll = std::numeric_limits<std::int64_t>::max();

using SchedulerFactory = std::unique_ptr<Scheduler> (*)(const ReplayContext&);

struct BackfillEntry {
    std::string name;
    std::string doc;       // one line
    std::string reference; // publication of the rule; empty for folklore
    std::vector<ParameterInfo> parameters;
    std::vector<std::string> reads; // fields of Policy, as site files name them
    // Fields read only if the parameter (the key) is given.
    std::map<std::string, std::vector<std::string>> reads_given;
    WorksOn works_on;
    bool places_jobs = false; // chooses the nodes of a torus itself

    // Returns the rule for a pool that `queues` queues name; null if only `make` plans.
    PlanRule (*plan)(const Policy& policy, std::int64_t queues) = nullptr;
    SchedulerFactory make; // for plain processors, or a torus
};

using BackfillRegistry = Registry<SchedulerFactory, BackfillEntry>;

BackfillRegistry& backfill_registry();

// The fields that every backfill with a queue reads, plus `more`.
std::vector<std::string> queue_and(std::vector<std::string> more);

// The given value of a parameter, or its default. Planners call it at construction, not in a pass.
// Throws std::logic_error if the backfill of `policy` has no such parameter.
double parameter_of(const Policy& policy, const std::string& name);

// Names of the backfills with this property, as "a, b or c".
std::string backfills_that_work(bool WorksOn::* fact);

} // namespace slotwise
