// Slurm's multifactor priority: an integer, the sum of weights times factors between 0 and 1.
//
// Example with age = 1000, job_size = 500 and a max_age of 7 days: a job on a quarter of the
// machine that has waited for 3.5 days has the priority 1000 · 0.5 + 500 · 0.25 = 625.
#include "order/order.hpp"
#include "replay/share_usage.hpp"

#include <algorithm>
#include <cmath>

namespace slotwise {

namespace {

class Multifactor final : public Order {
  public:
    explicit Multifactor(const OrderSpec& spec)
        : age_(spec.parameters.at("age")), max_age_(spec.parameters.at("max_age")),
          job_size_(spec.parameters.at("job_size")),
          favor_small_(spec.parameters.at("favor_small") != 0),
          relative_to_time_(spec.parameters.at("relative_to_time") != 0),
          partition_(spec.parameters.at("partition")), fairshare_(spec.parameters.at("fairshare")),
          half_life_(spec.parameters.at("half_life")), damping_(spec.parameters.at("dampening")) {}

    bool is_static() const override { return age_ == 0 && fairshare_ == 0; }
    bool weighs_queue_priority() const override { return true; }
    bool reads_parts_of_machine() const override { return true; }

    void prepare(ReplayJobs& jobs) const override {
        if (fairshare_ != 0 && !jobs.shares) jobs.shares.emplace(*jobs.table, half_life_);
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = priority(jobs, which[i], jobs.submit(which[i]), now);
    }

    double score_since(const ReplayJobs& jobs, JobId job, Time eligible, Time now) const override {
        return priority(jobs, job, eligible, now);
    }

  private:
    double priority(const ReplayJobs& jobs, JobId job, Time since, Time now) const {
        double sum = 0;
        if (age_ != 0) {
            const auto wait = static_cast<double>(std::max<Time>(now - since, 0));
            sum += age_ * std::min(wait / max_age_, 1.0);
        }
        if (fairshare_ != 0 && jobs.shares)
            sum += fairshare_ * jobs.shares->factor(job, now, damping_);
        if (job_size_ != 0) sum += job_size_ * size_factor(jobs, job);
        if (partition_ != 0 && jobs.largest_queue_priority > 0)
            sum += partition_ * jobs.priority(job) / jobs.largest_queue_priority;
        return std::max(std::floor(sum), 1.0);
    }

    double size_factor(const ReplayJobs& jobs, JobId job) const {
        if (jobs.part_of_machine.empty()) return 0;
        double part = jobs.part_of_machine[job];
        if (relative_to_time_) {
            const double minutes = std::ceil(request_of(jobs, job) / 60.0);
            part = jobs.part_of_processors(job) / minutes;
        }
        return std::clamp(favor_small_ ? 1.0 - part : part, 0.0, 1.0);
    }

    double age_;
    double max_age_;
    double job_size_;
    bool favor_small_;
    bool relative_to_time_;
    double partition_;
    double fairshare_;
    double half_life_;
    double damping_;
};

const bool multifactor_registered = order_registry().add({
    .name = "multifactor",
    .doc = "Slurm's priority: age, size, partition and fair share, each times a weight.",
    .reference = "priority/multifactor of Slurm",
    .parameters =
        {{"age", "weight of the wait (PriorityWeightAge)", 0, 0},
         {"max_age", "seconds of wait at which the factor is 1 (PriorityMaxAge)", 604800, 1},
         {"job_size", "weight of the size (PriorityWeightJobSize)", 0, 0},
         {"favor_small", "1: small jobs have the large factor (PriorityFavorSmall)", 0, 0},
         {"relative_to_time", "1: size per minute of the limit (SMALL_RELATIVE_TO_TIME)", 0, 0},
         {"partition", "weight of the queue's priority (PriorityWeightPartition)", 0, 0},
         {"fairshare", "weight of the classic fair share (PriorityWeightFairshare)", 0, 0},
         {"half_life", "seconds in which past usage loses half its weight", 604800, 1},
         {"dampening", "divisor of the usage over the share (FairShareDampeningFactor)", 1, 1}},
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Multifactor>(spec);
    },
});

} // namespace

} // namespace slotwise
