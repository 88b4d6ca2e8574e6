// The state shared by the event loop, the planners and the metrics of one replay.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/schedule.hpp"
#include "replay/schedule_so_far.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

struct Routing;

// The instant of a scheduling pass, and the events since the previous pass.
struct Instant {
    Time now;
    std::span<const JobId> ended;   // in the order in which the jobs ended
    std::span<const JobId> arrived; // in trace order
};

// The decisions of a scheduling pass: the jobs that it stops and, after these, the jobs that it
// starts, in order.
struct Starts {
    struct Start {
        JobId job;
        bool past_a_waiting_job;
    };
    struct Stop {
        JobId job;
        PoolId pool; // kAnyPool: the job runs in several pools, or the site has none
        EndReason reason;
        bool requeued; // requeued by the scheduler, so it may start again in this pass
    };
    std::vector<Start> jobs;
    std::vector<Stop> stops;
    std::vector<JobId> rejected; // jobs rejected on arrival
    // On a machine with nodes, the nodes of jobs[i] are the intervals from nodes[nodes_end[i - 1]]
    // to nodes[nodes_end[i] - 1]. The intervals are ascending and not adjacent.
    std::vector<NodeInterval> nodes;
    std::vector<std::uint32_t> nodes_end;

    void add(JobId job, bool past_a_waiting_job) { jobs.push_back({job, past_a_waiting_job}); }

    // Ends the interval list of the job that was added last.
    void close_nodes() { nodes_end.push_back(static_cast<std::uint32_t>(nodes.size())); }
    std::span<const NodeInterval> nodes_of(std::size_t i) const {
        const std::uint32_t first = i == 0 ? 0 : nodes_end[i - 1];
        return {nodes.data() + first, nodes_end[i] - first};
    }
};

// A replay in progress, from which a new scheduler continues. All events up to and including `now`
// have been handled. Jobs in `waiting` are in trace order, those in `running` are sorted by start
// time, and those in `ended` by end time.
struct Underway {
    Time now;
    std::span<const JobId> waiting;
    std::span<const JobId> running;
    std::span<const JobId> ended;
};

struct ReplayContext {
    const ReplayJobs& jobs;
    const Site& site;     // a prepared site (site/prepared_site.hpp)
    const Policy& policy; // policy of the site
    ProcCount processors; // processors of the machine
    const ScheduleSoFar& schedule;
    std::shared_ptr<const Routing> routing = {}; // null if the site has only a machine and a policy

    NodeCount nodes_of(JobId job) const; // only for a torus
};

} // namespace slotwise
