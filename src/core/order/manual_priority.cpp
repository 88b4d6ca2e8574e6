#include "order/manual_priority.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

class ManualPriority final : public Order {
  public:
    explicit ManualPriority(std::unique_ptr<Order> order) : order_(std::move(order)) {}

    bool is_static() const override { return order_->is_static(); }
    void prepare(ReplayJobs& jobs) const override { order_->prepare(jobs); }
    bool weighs_queue_priority() const override { return order_->weighs_queue_priority(); }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        order_->score(jobs, which, now, scores);
        if (jobs.manual_priorities.empty()) return;
        struct Key {
            double priority;
            double score;
            std::size_t index;
        };
        std::vector<Key> keys(which.size());
        for (std::size_t i = 0; i < which.size(); ++i)
            keys[i] = {jobs.manual_priorities[which[i]], scores[i], i};
        std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
            return a.priority > b.priority || (a.priority == b.priority && a.score > b.score);
        });
        double place = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const bool same = i > 0 && keys[i].priority == keys[i - 1].priority &&
                              keys[i].score == keys[i - 1].score;
            if (!same) place = -static_cast<double>(i);
            scores[keys[i].index] = place;
        }
    }

  private:
    std::unique_ptr<Order> order_;
};

} // namespace

std::unique_ptr<Order> manual_before(std::unique_ptr<Order> order) {
    return std::make_unique<ManualPriority>(std::move(order));
}

} // namespace slotwise
