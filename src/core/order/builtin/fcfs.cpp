// First come, first served.
#include "order/order.hpp"

namespace slotwise {

namespace {

class Fcfs final : public Order {
  public:
    bool is_arrival_order() const override { return true; }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time,
               std::span<double> scores) const override {
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = -static_cast<double>(jobs.submit(which[i]));
    }
};

const bool fcfs_registered = order_registry().add({
    .name = "fcfs",
    .doc = "First come, first served.",
    .reference = "",
    .parameters = {},
    .make = [](const OrderSpec&) -> std::unique_ptr<Order> { return std::make_unique<Fcfs>(); },
});

} // namespace

} // namespace slotwise
