#include "site/backfill.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slotwise {

BackfillRegistry& backfill_registry() {
    static BackfillRegistry registry("backfill");
    return registry;
}

std::vector<std::string> queue_and(std::vector<std::string> more) {
    for (const char* field : {"order", "passes", "allocation", "event_order", "ending_now"})
        more.emplace_back(field);
    return more;
}

double parameter_of(const Policy& policy, const std::string& name) {
    const auto given = policy.parameters.find(name);
    if (given != policy.parameters.end()) return given->second;
    for (const ParameterInfo& parameter : backfill_registry().find(policy.backfill).parameters)
        if (parameter.name == name) return parameter.default_value;
    throw std::logic_error("backfill '" + policy.backfill + "' has no parameter '" + name + "'");
}

bool has_parameter(const Policy& policy, const std::string& name) {
    const auto& parameters = backfill_registry().find(policy.backfill).parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const ParameterInfo& parameter) { return parameter.name == name; });
}

PlanRule plan_of(const Policy& policy, std::int64_t queues) {
    return backfill_registry().find(policy.backfill).plan(policy, queues);
}

bool plans_as_easy(const Policy& policy) {
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    return entry.plan != nullptr && entry.plan(policy, 1) == PlanRule{.reservations = 1};
}

bool plans_promises(const Policy& policy) {
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    return entry.plan != nullptr && entry.plan(policy, 1).promises;
}

} // namespace slotwise
