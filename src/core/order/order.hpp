// Defines the order of the queue. Each job has a score, and the job with the highest score comes
// first. Jobs with equal scores are sorted by submit time, and then by position in the trace.
#pragma once

#include "registry.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <stdexcept>

namespace slotwise {

// Thrown if an order fails during a replay, because it computed a key that is NaN or because its
// function reported an error.
struct OrderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A score that is a linear function of the wait: at_submit + per_second · wait.
struct LinearScore {
    double at_submit;
    double per_second; // 0 or more
    double size;       // sum of the absolute values of the terms of at_submit
};

// Computes the scores of jobs, as doubles. The operations are carried out in the order in which
// they appear in the formula, so that every platform gives the same scores. An order stores no
// replay state; it only reads ReplayJobs.
class Order {
  public:
    virtual ~Order() = default;

    // Returns true if the score of a job never changes. In this case, all jobs in the trace are
    // ranked once, before the replay.
    virtual bool is_static() const { return true; }

    // Returns true if the jobs stay in trace order. Such an order is static and does not have
    // linear scores.
    virtual bool is_arrival_order() const { return false; }

    // Returns true if the score includes the priority of the job's queue. In this case, queues with
    // different priorities are treated as a single queue.
    virtual bool weighs_queue_priority() const { return false; }

    // Returns true if jobs can be ranked by linear scores. In this case, a score depends only on
    // the processors, the requested_time, the wait and the priority of the queue, and it never
    // decreases as the wait grows. Of two jobs, the one with the greater linear score also has the
    // higher score, unless the two linear scores differ only by rounding errors.
    virtual bool has_linear_scores() const { return false; }

    // Returns the linear score of `job`, if the order has linear scores.
    virtual LinearScore line(const ReplayJobs&, JobId) const { return {0, 0, 0}; }

    // Returns true if the score depends on the sizes of the jobs and the machine, or on the largest
    // queue priority. These are then set in ReplayJobs before prepare() is called.
    virtual bool reads_sizes() const { return false; }

    // Returns true if the score depends on each job's shares of the resources of its partition
    // (TresShares). The shares are then set in ReplayJobs before prepare() is called.
    virtual bool reads_tres() const { return false; }

    // Adds to `jobs` the data that the order reads in addition to the columns. This is called
    // before the replay begins, or when a running replay switches to this order.
    virtual void prepare(ReplayJobs&) const {}

    // Sets scores[i] to the score of job which[i] at time `now`. Static orders ignore `now`.
    virtual void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                       std::span<double> scores) const = 0;

    // Returns the score of a job that became eligible at time `eligible`. Orders that do not depend
    // on this time ignore it.
    virtual double score_since(const ReplayJobs& jobs, JobId job, Time eligible, Time now) const {
        static_cast<void>(eligible);
        double its = 0;
        score(jobs, {&job, 1}, now, {&its, 1});
        return its;
    }
};

using OrderFactory = std::unique_ptr<Order> (*)(const OrderSpec& with_every_parameter);
using OrderEntry = RegistryEntry<OrderFactory>;

Registry<OrderFactory>& order_registry();

// Creates the order of a policy or a queue. Throws std::invalid_argument if a name or a parameter
// is unknown, or if a value is out of range.
std::unique_ptr<Order> make_order(const OrderSpec& spec);

// In every formula, a requested time below 1 s counts as 1 s.
inline double request_of(const ReplayJobs& jobs, JobId job) {
    const Duration request = jobs.requested_time[job];
    return static_cast<double>(request > 0 ? request : 1);
}

// Returns the rank (0 or more) of every job in the trace under a static order. The result is empty
// if the jobs stay in trace order.
std::vector<JobId> static_ranks(const Order& order, const ReplayJobs& jobs);

} // namespace slotwise
