// Orders jobs by the decayed usage of their users, smallest first. The score of a job is this
// usage, negated.
#include "order/user_order.hpp"
#include "replay/usage/decayed_usage.hpp"

#include <unordered_map>
#include <vector>

namespace slotwise {

namespace {

class Fairshare final : public UserOrder {
  public:
    explicit Fairshare(double half_life) : half_life_(half_life) {}

    bool is_static() const override { return false; }
    void prepare(ReplayJobs& jobs) const override { jobs.follow_usage(half_life_); }
    double half_life() const override { return half_life_; }
    double score_of(const ReplayJobs& jobs, std::int32_t user, Time now) const override {
        const DecayedUsage* usage = jobs.usage_with(half_life_);
        return usage == nullptr ? 0.0 : -usage->at(user, now);
    }

    // All jobs of a user have the same score, so it is computed only once per user in each call.
    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        const DecayedUsage* usage = jobs.usage_with(half_life_);
        number_users(jobs);
        ++call_;
        for (std::size_t i = 0; i < which.size(); ++i) {
            Share& share = shares_[number_[which[i]]];
            if (share.call != call_)
                share = {share.user, call_, usage == nullptr ? 0.0 : -usage->at(share.user, now)};
            scores[i] = share.score;
        }
    }

  private:
    struct Share {
        std::int32_t user;
        std::uint64_t call; // the call in which the score was computed
        double score;
    };

    // Assigns numbers to the users of the jobs that have joined the replay since the previous call.
    void number_users(const ReplayJobs& jobs) const {
        for (auto job = static_cast<JobId>(number_.size()); job < jobs.size(); ++job) {
            const std::int32_t user = jobs.user(job);
            const auto next = static_cast<std::uint32_t>(shares_.size());
            const auto [found, is_new] = number_of_.try_emplace(user, next);
            if (is_new) shares_.push_back({user, 0, 0.0});
            number_.push_back(found->second);
        }
    }

    double half_life_;
    mutable std::uint64_t call_ = 0;
    mutable std::vector<std::uint32_t> number_; // the number assigned to each job's user
    mutable std::unordered_map<std::int32_t, std::uint32_t> number_of_;
    mutable std::vector<Share> shares_; // one per user number
};

const bool fairshare_registered = order_registry().add({
    .name = "fairshare",
    .doc = "Jobs of the user who has used the fewest processor-seconds first; older usage counts "
           "less.",
    .reference = "",
    .parameters = {{"half_life", "half-life of past usage in seconds", 604800.0, 1.0}},
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Fairshare>(spec.parameters.at("half_life"));
    },
});

} // namespace

} // namespace slotwise
