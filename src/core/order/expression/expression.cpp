// An order defined by a user's expression over the columns of a job and `now`.
#include "order/expression/parser.hpp"
#include "order/order.hpp"

namespace slotwise {

namespace {

class Expression final : public Order {
  public:
    explicit Expression(const std::string& key) : key_(key), program_(parse_expression(key)) {}

    bool is_static() const override { return !program_.reads_now(); }
    bool weighs_queue_priority() const override {
        return program_.reads(JobColumn::queue_priority);
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        program_.evaluate(jobs, which, now, scores);
        check_keys("expression '" + key_ + "'", jobs, which, now, scores);
    }

  private:
    std::string key_;
    Program program_;
};

const bool expression_registered = order_registry().add({
    .name = "expression",
    .doc = "Largest key first; the key is an expression of job columns and now, the current time.",
    .reference = "",
    .parameters = {{"key", "the expression", 0.0, 0.0, "-submit"}},
    .make = [](const OrderSpec& spec) -> std::unique_ptr<Order> {
        return std::make_unique<Expression>(spec.key.empty() ? "-submit" : spec.key);
    },
});

} // namespace

} // namespace slotwise
