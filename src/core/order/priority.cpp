// The formula of Kraken at ORNL: P = S·(Q·q + X·(1 + q/r)) + R·C·c + Z·z, with the wait q and the
// requested_time r in minutes, r at least 1, c processors and z the priority of the job's queue.
//
// Example, weights as on Kraken: after 8 minutes a job of 3 processors that asks for 6 minutes has
// 5·8 + 100·(1 + 8/6) + 3 = 276.33.
#include "order/job_columns.hpp"
#include "order/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace slotwise {

namespace {

constexpr double kAnyNumber = -std::numeric_limits<double>::infinity();

class Priority final : public Order {
  public:
    explicit Priority(const OrderSpec& spec)
        : queue_time_(spec.parameters.at("queue_time")),
          expansion_(spec.parameters.at("expansion")), cores_(spec.parameters.at("cores")),
          service_(spec.parameters.at("service")), resource_(spec.parameters.at("resource")),
          qos_(spec.parameters.at("qos")) {}

    bool is_static() const override { return false; }
    bool weighs_queue_priority() const override { return true; }

    bool ranks_by_lines() const override {
        return service_ * queue_time_ >= 0 && service_ * expansion_ >= 0;
    }

    ScoreLine line(const ReplayJobs& jobs, JobId job) const override {
        const double expansion = service_ * expansion_;
        const double cores = resource_ * cores_ * static_cast<double>(jobs.processors[job]);
        const double qos = qos_ * jobs.priority(job);
        return {expansion + cores + qos,
                service_ * (queue_time_ + expansion_ / minutes_requested(jobs, job)) / 60.0,
                std::abs(expansion) + std::abs(cores) + std::abs(qos)};
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        prepare_minutes(jobs);
        for (std::size_t first = 0; first < which.size(); first += kBlock) {
            const std::size_t n = std::min(kBlock, which.size() - first);
            score_block(jobs, which.subspan(first, n), now, scores.data() + first);
        }
        for (std::size_t i = 0; !jobs.queue_priority.empty() && i < which.size(); ++i)
            scores[i] += qos_ * jobs.queue_priority[which[i]];
        check_keys("priority", jobs, which, now, scores); // weights may overflow
    }

  private:
    static constexpr std::size_t kBlock = 256;

    // Gathers first, so that the arithmetic runs on columns.
    void score_block(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                     double* scores) const {
        double waits[kBlock];
        double requests[kBlock];
        double processors[kBlock];
        const Time* submit = jobs.table->submit.data();
        const ProcCount* sizes = jobs.processors.data();
        const double* minutes = minutes_.data();
        for (std::size_t i = 0; i < which.size(); ++i) {
            const JobId job = which[i];
            waits[i] = static_cast<double>(now - submit[job]);
            requests[i] = minutes[job];
            processors[i] = static_cast<double>(sizes[job]);
        }
        const double per_processor = resource_ * cores_;
        const double by_wait = queue_time_;
        const double by_expansion = expansion_;
        const double service = service_;
#pragma GCC ivdep
        for (std::size_t i = 0; i < which.size(); ++i) {
            const double q = waits[i] / 60.0;
            const double expanded = 1.0 + q / requests[i];
            scores[i] =
                service * (by_wait * q + by_expansion * expanded) + per_processor * processors[i];
        }
    }

    // Jobs may have joined the replay since the last call.
    void prepare_minutes(const ReplayJobs& jobs) const {
        for (auto job = static_cast<JobId>(minutes_.size()); job < jobs.size(); ++job)
            minutes_.push_back(minutes_requested(jobs, job));
    }

    static double minutes_requested(const ReplayJobs& jobs, JobId job) {
        return std::max(static_cast<double>(jobs.requested_time[job]) / 60.0, 1.0);
    }

    double queue_time_;
    double expansion_;
    double cores_;
    double service_;
    double resource_;
    double qos_;
    mutable std::vector<double> minutes_; // requested, by job
};

const bool registered = order_registry().add({
    .name = "priority",
    .doc = "Largest priority by the formula of Kraken: wait, wait over request, processors and the "
           "queue's priority, weighed.",
    .reference = "Vanderlan, \"Analyzing supercomputer utilization under queuing with a priority "
                 "formula and a strict backfill policy\", University of Tennessee 2011",
    .parameters =
        {
            {"queue_time", "weight of a minute of wait (Q)", 5.0, kAnyNumber},
            {"expansion", "weight of 1 + wait / requested_time (X)", 100.0, kAnyNumber},
            {"cores", "weight of a processor (C)", 1.0, kAnyNumber},
            {"service", "weight of wait and expansion together (S)", 1.0, kAnyNumber},
            {"resource", "weight of the processors' part (R)", 1.0, kAnyNumber},
            {"qos", "weight of the queue's priority (Z)", 100.0, kAnyNumber},
        },
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Priority>(spec);
    },
});

} // namespace

} // namespace slotwise
