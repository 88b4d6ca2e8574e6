// The order of the queue: one score per job, highest first; ties go by submit time, then by
// position in the trace.
#pragma once

#include "registry.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <stdexcept>

namespace slotwise {

// An order that fails during a replay: its key is NaN, or its function reports an error.
struct OrderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A score that is linear in the wait: at_submit + per_second · wait.
struct LinearScore {
    double at_submit;
    double per_second; // 0 or more
    double size;       // sum of the absolute terms of at_submit: the scale of rounding errors
};

// Scores are doubles. Operations are computed in the order in which the formula is written, so that
// every platform gives the same scores. An order stores no replay state: it only reads ReplayJobs.
class Order {
  public:
    virtual ~Order() = default;

    // True if the score of a job never changes: then the whole trace is ranked once, before the
    // replay.
    virtual bool is_static() const { return true; }

    // True if jobs are in the order of the trace; the order is then static and has no linear
    // scores.
    virtual bool is_arrival_order() const { return false; }

    // True if the score includes the priority of the job's queue, so that queues of different
    // priority act as one queue.
    virtual bool weighs_queue_priority() const { return false; }

    // True if jobs rank by linear scores. Then a score depends only on processors, requested_time,
    // wait and the queue's priority, and never falls with the wait. Of two jobs, the one with the
    // higher line has the higher score, unless the lines differ by rounding only.
    virtual bool has_linear_scores() const { return false; }

    // Line of `job`, if the order has linear scores.
    virtual LinearScore line(const ReplayJobs&, JobId) const { return {0, 0, 0}; }

    // True if the score reads the sizes of jobs and of the machine, or the largest priority of its
    // queues. They are then set in ReplayJobs before prepare() is called.
    virtual bool reads_sizes() const { return false; }

    // True if the score reads the share of jobs in the resources of their partitions, which is then
    // set in ReplayJobs likewise.
    virtual bool reads_tres() const { return false; }

    // Adds data to `jobs` that the order reads besides the columns. Called before the replay
    // begins, or when the order is adopted.
    virtual void prepare(ReplayJobs&) const {}

    // Fills scores[i] for jobs[i] at time `now`; static orders ignore `now`.
    virtual void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                       std::span<double> scores) const = 0;

    // Score of a job that became eligible at `eligible`. Orders that do not distinguish this from
    // its submission ignore it.
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

// Makes the order of a policy or a queue. Throws std::invalid_argument for an unknown name or
// parameter, and for a value out of range.
std::unique_ptr<Order> make_order(const OrderSpec& spec);

// Every formula counts a request as at least 1 s.
inline double request_of(const ReplayJobs& jobs, JobId job) {
    const Duration request = jobs.requested_time[job];
    return static_cast<double>(request > 0 ? request : 1);
}

// Rank of every job of the trace under a static order, from 0; empty for the order of the trace.
std::vector<JobId> static_ranks(const Order& order, const ReplayJobs& jobs);

} // namespace slotwise
