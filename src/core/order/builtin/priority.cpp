// The priority formula of Kraken at ORNL: P = S·(Q·q + X·(1 + q/r)) + R·C·c + Z·z. S, Q, X, R, C
// and Z are weights. q is the waiting time and r the requested_time, both in minutes; r is at least
// 1. c is the number of processors, and z is the priority of the job's queue.
//
// Example with the weights used on Kraken: a job that requests 3 processors for 6 minutes and has
// waited for 8 minutes has the priority 5·8 + 100·(1 + 8/6) + 3 = 276.33.
#include "order/job_columns.hpp"
#include "order/order.hpp"
#include "order/wait_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slotwise {

namespace {

constexpr double kAnyNumber = -std::numeric_limits<double>::infinity();

struct Weights { // weights of the terms that grow with the wait
    double queue_time;
    double expansion;
    double service;
};

// A waiting time of w seconds, a whole number below 2^41, is converted to minutes as w·17/1024 +
// w/15360, which equals w/60. The first product is exact and the second is rounded twice, so the
// relative error of the sum is below 2^-60. The quotient w/60 differs from every rounding boundary
// by at least 2^-58 of its value. The sum is therefore rounded to the same double as the quotient.
SLOTWISE_WIDE void scores_by_columns(const WaitColumns& columns, std::span<const JobId> which,
                                     Time now, double* scores, const Weights& weights) {
    const double by_wait = weights.queue_time;
    const double by_expansion = weights.expansion;
    const double service = weights.service;
    score_by_columns(columns, which, now, scores,
                     [&](const auto& wait, const auto& request, const auto& cores, auto& score) {
                         const auto q = wait * (17.0 / 1024.0) + wait * (1.0 / 15360.0);
                         const auto expanded = 1.0 + q / request;
                         score = service * (by_wait * q + by_expansion * expanded) + cores;
                     });
}

class Priority final : public Order {
  public:
    explicit Priority(const OrderSpec& spec)
        : weights_{spec.parameters.at("queue_time"), spec.parameters.at("expansion"),
                   spec.parameters.at("service")},
          per_processor_(spec.parameters.at("resource") * spec.parameters.at("cores")),
          qos_(spec.parameters.at("qos")), may_overflow_(!are_moderate()) {}

    bool is_static() const override { return false; }
    bool weighs_queue_priority() const override { return true; }

    bool has_linear_scores() const override {
        return weights_.service * weights_.queue_time >= 0 &&
               weights_.service * weights_.expansion >= 0;
    }

    LinearScore line(const ReplayJobs& jobs, JobId job) const override {
        const double expansion = weights_.service * weights_.expansion;
        const double cores = of_processors(jobs, job);
        const double qos = qos_ * jobs.priority(job);
        return {expansion + cores + qos,
                weights_.service *
                    (weights_.queue_time + weights_.expansion / minutes_requested(jobs, job)) /
                    60.0,
                std::abs(expansion) + std::abs(cores) + std::abs(qos)};
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        const auto request = [&](JobId job) { return minutes_requested(jobs, job); };
        const auto cores = [&](JobId job) { return of_processors(jobs, job); };
        if (columns_.serve(jobs, which.size(), now, request, cores))
            scores_by_columns(columns_, which, now, scores.data(), weights_);
        else
            for (std::size_t i = 0; i < which.size(); ++i)
                scores[i] = score_without_queue(jobs, which[i], now);
        for (std::size_t i = 0; !jobs.queue_priority.empty() && i < which.size(); ++i)
            scores[i] += qos_ * jobs.queue_priority[which[i]];
        if (may_overflow_) check_keys("priority", jobs, which, now, scores);
    }

  private:
    double score_without_queue(const ReplayJobs& jobs, JobId job, Time now) const {
        const double q = static_cast<double>(now - jobs.submit(job)) / 60.0;
        const double expanded = 1.0 + q / minutes_requested(jobs, job);
        return weights_.service * (weights_.queue_time * q + weights_.expansion * expanded) +
               of_processors(jobs, job);
    }

    // Returns true if all weights are small enough that no score can be inf − inf. Waits and
    // processor counts are below 2^55.
    bool are_moderate() const {
        constexpr double kMost = 1e90;
        return std::abs(weights_.queue_time) <= kMost && std::abs(weights_.expansion) <= kMost &&
               std::abs(weights_.service) <= kMost && std::abs(per_processor_) <= kMost;
    }

    double of_processors(const ReplayJobs& jobs, JobId job) const {
        return per_processor_ * static_cast<double>(jobs.processors[job]);
    }

    static double minutes_requested(const ReplayJobs& jobs, JobId job) {
        return std::max(static_cast<double>(jobs.requested_time[job]) / 60.0, 1.0);
    }

    Weights weights_;
    double per_processor_;
    double qos_;
    bool may_overflow_;
    mutable WaitColumns columns_;
};

const bool priority_registered = order_registry().add({
    .name = "priority",
    .doc = "Largest priority first, by Kraken's formula: a weighted sum of wait, wait / "
           "requested_time, processors and queue priority.",
    .reference = "Vanderlan, \"Analyzing supercomputer utilization under queuing with a priority "
                 "formula and a strict backfill policy\", University of Tennessee 2011",
    .parameters =
        {
            {"queue_time", "weight per minute of wait (Q)", 5.0, kAnyNumber},
            {"expansion", "weight of 1 + wait / requested_time (X)", 100.0, kAnyNumber},
            {"cores", "weight per processor (C)", 1.0, kAnyNumber},
            {"service", "weight of wait and expansion together (S)", 1.0, kAnyNumber},
            {"resource", "weight of the processors term (R)", 1.0, kAnyNumber},
            {"qos", "weight of the queue's priority (Z)", 100.0, kAnyNumber},
        },
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Priority>(spec);
    },
});

} // namespace

} // namespace slotwise
