// Who has used least of late comes first: the score is the user's decayed usage, negated.
#include "order/decayed_usage.hpp"
#include "order/order.hpp"

namespace slotwise {

namespace {

class Fairshare final : public Order {
  public:
    explicit Fairshare(double half_life) : half_life_(half_life) {}

    bool is_static() const override { return false; }
    void prepare(ReplayJobs& jobs) const override { jobs.follow_usage(half_life_); }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        const DecayedUsage* usage = jobs.usage_with(half_life_);
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = usage == nullptr ? 0.0 : -usage->at(jobs.user(which[i]), now);
    }

  private:
    double half_life_;
};

const bool registered = order_registry().add({
    .name = "fairshare",
    .doc = "Jobs of the user first who has used the fewest processor-seconds, older ones counting "
           "less.",
    .reference = "",
    .parameters = {{"half_life", "seconds in which past usage loses half its weight", 604800.0,
                    1.0}},
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Fairshare>(spec.parameters.at("half_life"));
    },
});

} // namespace

} // namespace slotwise
