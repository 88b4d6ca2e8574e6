#include "order/order.hpp"

#include "order/manual_priority.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace slotwise {

Registry<OrderFactory>& order_registry() {
    static Registry<OrderFactory> registry("order");
    return registry;
}

namespace {

[[noreturn]] void refuse_parameter(const OrderEntry& entry, const std::string& name) {
    std::string known;
    for (const ParameterInfo& parameter : entry.parameters)
        known += (known.empty() ? "" : ", ") + parameter.name;
    throw std::invalid_argument("order '" + entry.name + "' has no parameter '" + name + "'; " +
                                (known.empty() ? "it takes none" : "known names are: " + known));
}

void check_range(const OrderEntry& entry, const ParameterInfo& parameter, double value) {
    if (std::isfinite(value) && value >= parameter.minimum) return;
    const std::string least = std::isfinite(parameter.minimum)
                                  ? "a number of at least " + std::to_string(parameter.minimum)
                                  : "a finite number";
    throw std::invalid_argument("order '" + entry.name + "': " + parameter.name + " is " +
                                std::to_string(value) + "; it must be " + least);
}

} // namespace

std::unique_ptr<Order> make_order(const OrderSpec& spec) {
    if (spec.source != nullptr)
        return spec.by_hand_first ? by_hand_before(spec.source->make()) : spec.source->make();
    const OrderEntry& entry = order_registry().find(spec.name);
    OrderSpec whole = spec;
    for (const ParameterInfo& parameter : entry.parameters)
        check_range(
            entry, parameter,
            whole.parameters.emplace(parameter.name, parameter.default_value).first->second);
    for (const auto& [name, value] : spec.parameters)
        if (std::none_of(entry.parameters.begin(), entry.parameters.end(),
                         [&](const ParameterInfo& known) { return known.name == name; }))
            refuse_parameter(entry, name);
    std::unique_ptr<Order> order = entry.make(whole);
    return spec.by_hand_first ? by_hand_before(std::move(order)) : std::move(order);
}

std::vector<JobId> static_ranks(const Order& order, const ReplayJobs& jobs) {
    if (order.is_arrival_order()) return {};
    std::vector<JobId> by_rank(jobs.size());
    std::iota(by_rank.begin(), by_rank.end(), JobId{0});
    std::vector<double> scores(jobs.size());
    order.score(jobs, by_rank, jobs.first_submit, scores);
    const auto precedes = [&](JobId a, JobId b) { return scores[a] > scores[b]; };
    std::stable_sort(by_rank.begin(), by_rank.end(), precedes);
    std::vector<JobId> rank(jobs.size());
    for (std::size_t i = 0; i < by_rank.size(); ++i)
        rank[by_rank[i]] = static_cast<JobId>(i);
    return rank;
}

} // namespace slotwise
