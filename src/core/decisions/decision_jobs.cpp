#include "decisions/decision_jobs.hpp"

#include "guard.hpp"
#include "site/backfill.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace slotwise {

namespace {

void check_policy(const Policy& policy) {
    const Policy defaults;
    const std::optional<HeadRule> rule = backfill_registry().find(policy.backfill).head;
    guard(rule && !rule->relaxes, "the backfill is not none, first-fit or easy");
    guard(policy.order.source == nullptr, "the order is a function");
    guard(!policy.backfill_order, "the policy has a backfill_order");
    guard(policy.estimates == defaults.estimates &&
              policy.waiting_estimates == defaults.waiting_estimates,
          "the estimates are not the requested times");
    guard(policy.passes == defaults.passes && policy.event_order == defaults.event_order,
          "passes or event_order differs from its default");
    guard(policy.allocation == defaults.allocation, "allocation is not 'first'");
    guard(
        !policy.ending_now_is_free && policy.spare_processors && !policy.strict_end &&
            !policy.frozen_reservation,
        "ending_now, spare_processors, strict_end or frozen_reservation differs from its default");
}

double largest_of(const auto& column) {
    double largest = 1;
    for (const auto value : column)
        largest = std::max(largest, static_cast<double>(value));
    return largest;
}

} // namespace

DecisionJobs::DecisionJobs(std::shared_ptr<const JobTable> table, ProcCount processors,
                           std::span<const Policy> policies)
    : table_(std::move(table)), machine_(processors) {
    for (const Policy& policy : policies) {
        check_policy(policy);
        guard(policy.kill_at_limit == policies.front().kill_at_limit,
              "kill_at_limit differs between the policies");
    }
    columns_ = make_replay_jobs(*table_, policies.front());
    for (const Policy& policy : policies) {
        const std::unique_ptr<Order> order = make_order(policy.order);
        order->prepare(columns_);
        guard(columns_.usage.empty(), "the order depends on past usage");
        const std::optional<HeadRule> head = backfill_registry().find(policy.backfill).head;
        Rule rule{.order = policy.order,
                  .rank = {},
                  .drifts = !order->is_static(),
                  .others_pass = head->others_pass,
                  .reserves = head->reserves};
        if (!rule.drifts) rule.rank = static_ranks(*order, columns_);
        rules_.push_back(std::move(rule));
    }
    find_largest();
}

void DecisionJobs::find_largest() {
    largest_.requested_time = largest_of(table_->requested_time);
    largest_.run_time = largest_of(table_->run_time);
    largest_.memory = largest_of(table_->requested_memory);
    largest_.user = largest_of(table_->user);
    largest_.group = largest_of(table_->group);
    largest_.executable = largest_of(table_->executable);
}

JobId DecisionJobs::first_from(Time time) const {
    const auto& submit = table_->submit;
    return static_cast<JobId>(std::lower_bound(submit.begin(), submit.end(), time) -
                              submit.begin());
}

} // namespace slotwise
