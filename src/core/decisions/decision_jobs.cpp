#include "decisions/decision_jobs.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slotwise {

namespace {

[[noreturn]] void refuse_policy(const std::string& what) {
    throw std::invalid_argument(what +
                                "; job-by-job decisions support the backfills none, first-fit "
                                "and easy with their defaults: change the policy, or give "
                                "actions=\"front\"");
}

void check_policy(const Policy& policy) {
    const Policy defaults;
    const std::string& backfill = policy.backfill;
    if (backfill != "none" && backfill != "first-fit" && backfill != "easy")
        refuse_policy("the backfill is " + backfill);
    if (policy.order.source != nullptr) refuse_policy("the order is a function");
    if (policy.backfill_order) refuse_policy("the policy has a backfill_order");
    if (policy.estimates != defaults.estimates ||
        policy.waiting_estimates != defaults.waiting_estimates)
        refuse_policy("the estimates are not the requested times");
    if (policy.passes != defaults.passes || policy.event_order != defaults.event_order)
        refuse_policy("passes do not run once per instant");
    if (policy.allocation != defaults.allocation) refuse_policy("the policy chooses nodes");
    if (policy.ending_now_is_free || !policy.spare_processors || policy.strict_end ||
        policy.frozen_reservation)
        refuse_policy("the reservation follows a rule of its own");
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
        if (policy.kill_at_limit != policies.front().kill_at_limit)
            throw std::invalid_argument(
                "kill_at_limit differs between the policies, but it determines how long jobs run; "
                "give all of them the same value");
    }
    columns_ = make_replay_jobs(*table_, policies.front());
    for (const Policy& policy : policies) {
        const std::unique_ptr<Order> order = make_order(policy.order);
        order->prepare(columns_);
        if (!columns_.usage.empty())
            refuse_policy("the order " + policy.order.name + " reads the usage of users");
        Rule rule{.order = policy.order,
                  .rank = {},
                  .drifts = !order->is_static(),
                  .others_pass = policy.backfill != "none",
                  .reserves = policy.backfill == "easy"};
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
