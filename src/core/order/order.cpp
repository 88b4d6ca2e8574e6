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
    throw std::invalid_argument(
        "order '" + entry.name + "' has no parameter '" + name + "'; " +
        (known.empty() ? "it has no parameters" : "known names are: " + known));
}

void check_range(const OrderEntry& entry, const ParameterInfo& parameter, double value,
                 const std::string& place = "") {
    if (std::isfinite(value) && value >= parameter.minimum && value <= parameter.maximum) return;
    const std::string least = std::isfinite(parameter.minimum)
                                  ? "a number of at least " + std::to_string(parameter.minimum)
                                  : "a finite number";
    throw std::invalid_argument("order '" + entry.name + "': " + parameter.name + place + " is " +
                                std::to_string(value) + "; it must be " + least);
}

// Checks the parameters of `spec`, and sets missing parameters to their default values.
void complete(const OrderEntry& entry, OrderSpec& spec) {
    const auto find = [&](const std::string& name) {
        const auto found = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                        [&](const ParameterInfo& p) { return p.name == name; });
        if (found == entry.parameters.end()) refuse_parameter(entry, name);
        return *found;
    };
    for (const auto& [name, values] : spec.tables) {
        const ParameterInfo parameter = find(name);
        if (parameter.kind != ParameterKind::table)
            throw std::invalid_argument("order '" + entry.name + "': " + name +
                                        " is a table; it must be a number");
        for (const auto& [key, value] : values)
            check_range(entry, parameter, value, "." + key);
    }
    for (const auto& [name, value] : spec.parameters)
        check_range(entry, find(name), value);
    for (const ParameterInfo& parameter : entry.parameters)
        spec.parameters.emplace(parameter.name, parameter.default_value);
}

} // namespace

std::unique_ptr<Order> make_order(const OrderSpec& spec) {
    if (spec.source != nullptr)
        return spec.manual_first ? manual_before(spec.source->make()) : spec.source->make();
    const OrderEntry& entry = order_registry().find(spec.name);
    OrderSpec whole = spec;
    complete(entry, whole);
    std::unique_ptr<Order> order = entry.make(whole);
    return spec.manual_first ? manual_before(std::move(order)) : std::move(order);
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
