// The order of the queue: a score for each job, highest first; ties by submit, then by position in
// the trace.
#pragma once

#include "registry.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <stdexcept>

namespace slotwise {

// An order that fails in the midst of a replay: a key that is not a number, a function that reports
// a fault.
struct OrderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A rank over time: at_submit + per_second · wait.
struct LinearScore {
    double at_submit;
    double per_second; // 0 or more
    double size;       // sum of the absolute terms of at_submit: what their rounding goes by
};

// Scores are doubles computed in the order of operations the formula is written in, so that every
// platform agrees. An order holds no state of a replay: what it reads stands in ReplayJobs.
class Order {
  public:
    virtual ~Order() = default;

    // Whether a job's score never changes: then the whole trace is ranked once, before the replay.
    virtual bool is_static() const { return true; }

    // Whether the order is the trace's own; it is static then, and not by lines.
    virtual bool is_arrival_order() const { return false; }

    // Whether the score weighs the priority of the job's queue by itself, so that queues of
    // different priority are one queue under it.
    virtual bool weighs_queue_priority() const { return false; }

    // Whether jobs rank by lines. Then a score depends on processors, requested_time, wait and the
    // queue's priority alone, it never falls with the wait, and of two jobs the one with the higher
    // line has the higher score, unless their lines differ by rounding only.
    virtual bool has_linear_scores() const { return false; }

    // The line of `job`, where jobs rank by lines.
    virtual LinearScore line(const ReplayJobs&, JobId) const { return {0, 0, 0}; }

    // Has `jobs` follow what the order reads beyond their columns. Called before the replay begins,
    // or when the order joins it.
    virtual void prepare(ReplayJobs&) const {}

    // Fills scores[i] for jobs[i] at time `now`; `now` is ignored by static orders.
    virtual void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                       std::span<double> scores) const = 0;
};

using OrderFactory = std::unique_ptr<Order> (*)(const OrderSpec& with_every_parameter);
using OrderEntry = RegistryEntry<OrderFactory>;

Registry<OrderFactory>& order_registry();

// The order a policy or a queue names. Throws std::invalid_argument for an unknown name, an unknown
// parameter, and a value out of its range.
std::unique_ptr<Order> make_order(const OrderSpec& spec);

// Requests count at least 1 s in every formula.
inline double request_of(const ReplayJobs& jobs, JobId job) {
    const Duration request = jobs.requested_time[job];
    return static_cast<double>(request > 0 ? request : 1);
}

// rank[job] of every job of the trace under a static order, 0 first; empty for the trace's own
// order.
std::vector<JobId> static_ranks(const Order& order, const ReplayJobs& jobs);

} // namespace slotwise
