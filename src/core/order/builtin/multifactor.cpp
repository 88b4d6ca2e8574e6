// Slurm's multifactor priority. It is an integer: the weighted sum of factors between 0 and 1, plus
// the site factor, minus the nice value. The terms are added in the same order as in Slurm, because
// the rounding depends on this order.
//
// Example: the weights are age = 1000, job_size = 500 and qos = 200, and max_age is 7 days. A job
// that uses a quarter of the machine and has waited for 3.5 days has the priority 1000 · 0.5 + 500
// · 0.25 = 625. If its QOS has the priority 30, and the largest priority of any QOS is 100, then
// 200 · 0.3 = 60 is added.
#include "order/builtin/owner_priorities.hpp"
#include "order/order.hpp"
#include "replay/usage/share_usage.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>

namespace slotwise {

namespace {

constexpr double kMostPriority = 4294967295; // priorities have 32 bits
constexpr double kAnyWeight = -std::numeric_limits<double>::infinity();

using WeightTable = std::map<std::string, double>;

WeightTable table_of(const OrderSpec& spec, const std::string& name) {
    const auto found = spec.tables.find(name);
    return found == spec.tables.end() ? WeightTable{} : found->second;
}

class Multifactor final : public Order {
  public:
    explicit Multifactor(const OrderSpec& spec)
        : age_(spec.parameters.at("age")), max_age_(spec.parameters.at("max_age")),
          job_size_(spec.parameters.at("job_size")),
          favor_small_(spec.parameters.at("favor_small") != 0),
          relative_to_time_(spec.parameters.at("relative_to_time") != 0),
          partition_(spec.parameters.at("partition")), fairshare_(spec.parameters.at("fairshare")),
          half_life_(spec.parameters.at("half_life")), damping_(spec.parameters.at("dampening")),
          usage_reset_(static_cast<ResetPeriod>(spec.parameters.at("usage_reset"))),
          qos_(spec.parameters.at("qos")), association_(spec.parameters.at("association")),
          qos_priority_(table_of(spec, "qos_priority")),
          association_priority_(table_of(spec, "association_priority")),
          shares_(table_of(spec, "shares")), tres_(table_of(spec, "tres")) {}

    bool is_static() const override { return age_ == 0 && fairshare_ == 0; }
    bool weighs_queue_priority() const override { return true; }
    bool reads_sizes() const override { return true; }
    bool reads_tres() const override { return !tres_.empty(); }

    void prepare(ReplayJobs& jobs) const override {
        if (fairshare_ != 0 && !jobs.shares)
            jobs.shares.emplace(*jobs.table, half_life_,
                                UsageResets(usage_reset_, jobs.local_epoch),
                                UsageRenewals{jobs.first_submit, jobs.calc_period}, shares_);
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
        if (association_ != 0)
            sum += association_ * association_priority_.share(jobs.account(job), jobs.user(job));
        if (fairshare_ != 0 && jobs.shares)
            sum += fairshare_ * jobs.shares->factor(job, now, damping_);
        if (job_size_ != 0) sum += job_size_ * size_factor(jobs, job);
        if (partition_ != 0 && jobs.largest_queue_priority > 0)
            sum += partition_ * (jobs.priority(job) / jobs.largest_queue_priority);
        if (qos_ != 0) sum += qos_ * qos_priority_.share(jobs.qos(job));
        if (!tres_.empty()) sum += of_tres(jobs, job);
        sum = sum + jobs.site_factor(job) - jobs.nice(job);
        return std::floor(std::clamp(sum, 1.0, kMostPriority));
    }

    double size_factor(const ReplayJobs& jobs, JobId job) const {
        if (jobs.nodes_asked.empty()) return 0;
        const double nodes = jobs.nodes_asked[job], all_nodes = jobs.machine_nodes;
        const double cpus = jobs.processors[job], all_cpus = jobs.machine_processors;
        double factor = (nodes / all_nodes + cpus / all_cpus) / 2.0;
        if (relative_to_time_) {
            const double minutes = std::ceil(request_of(jobs, job) / 60.0);
            factor = std::max(nodes * all_cpus / all_nodes, cpus) / minutes / all_cpus;
            if (favor_small_) factor = 1.0 - factor;
        } else if (favor_small_) {
            factor = ((all_nodes - nodes) / all_nodes + (all_cpus - cpus) / all_cpus) / 2.0;
        }
        return std::clamp(factor, 0.0, 1.0);
    }

    double of_tres(const ReplayJobs& jobs, JobId job) const {
        double sum = 0;
        for (std::size_t i = 0; i < jobs.tres.names.size(); ++i) {
            const auto weight = tres_.find(jobs.tres.names[i]);
            if (weight != tres_.end()) sum += jobs.tres.of(job, i) * weight->second;
        }
        return sum;
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
    ResetPeriod usage_reset_;
    double qos_;
    double association_;
    OwnerPriorities qos_priority_;
    OwnerPriorities association_priority_;
    WeightTable shares_;
    WeightTable tres_;
};

ParameterInfo table_parameter(const char* name, const char* doc, double minimum) {
    return {name, doc, 0, minimum, "{}", ParameterKind::table};
}

const bool multifactor_registered = order_registry().add({
    .name = "multifactor",
    .doc = "Slurm's multifactor priority: a weighted sum of age, size, partition, fair share, QOS, "
           "association and TRES.",
    .reference = "priority/multifactor of Slurm",
    .parameters =
        {{"age", "weight of the job's age (PriorityWeightAge)", 0, 0},
         {"max_age", "seconds of waiting after which the age factor is 1 (PriorityMaxAge)", 604800,
          1},
         {"job_size", "weight of the job's size (PriorityWeightJobSize)", 0, 0},
         {"favor_small", "flag (0 or 1) that favours small jobs (PriorityFavorSmall)", 0, 0},
         {"relative_to_time",
          "flag (0 or 1) that divides the size by the time limit (SMALL_RELATIVE_TO_TIME)", 0, 0},
         {"partition", "weight of the queue's priority (PriorityWeightPartition)", 0, 0},
         {"fairshare", "weight of the classic fair share (PriorityWeightFairshare)", 0, 0},
         {"half_life",
          "half-life of past usage in seconds, or 0 for no decay "
          "(PriorityDecayHalfLife)",
          604800, 0},
         {"dampening",
          "divisor of usage / share in the fair-share factor (FairShareDampeningFactor)", 1, 1},
         {"usage_reset",
          "period after which past usage is cleared (PriorityUsageResetPeriod)",
          0,
          0,
          "none",
          ParameterKind::name,
          "",
          5,
          {"none", "daily", "weekly", "monthly", "quarterly", "yearly"}},
         {"qos", "weight of the QOS's priority (PriorityWeightQOS)", 0, 0},
         table_parameter("qos_priority", "priority of each QOS", 0),
         {"association", "weight of the association's priority (PriorityWeightAssoc)", 0, 0},
         table_parameter("association_priority", "priority of each account or account/user pair",
                         0),
         table_parameter("shares", "shares of each account or account/user pair", 0),
         table_parameter("tres", "weight of each resource (PriorityWeightTRES)", kAnyWeight)},
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Multifactor>(spec);
    },
});

} // namespace

} // namespace slotwise
