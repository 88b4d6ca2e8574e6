#include "site/policy_check.hpp"

#include "site/backfill.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

std::string shown(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

constexpr Time kLongestPeriod = Time{1} << 32;

const ParameterInfo& find(const BackfillEntry& entry, const std::string& name) {
    std::string known;
    for (const ParameterInfo& parameter : entry.parameters) {
        if (parameter.name == name) return parameter;
        known += (known.empty() ? "" : ", ") + parameter.name;
    }
    throw std::invalid_argument("backfill '" + entry.name + "' has no parameter '" + name + "'; " +
                                (known.empty() ? "it takes none" : "known are: " + known));
}

void check_parameters(const Policy& policy) {
    if (policy.parameters.empty()) return;
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    for (const auto& [name, value] : policy.parameters) {
        const ParameterInfo& parameter = find(entry, name);
        if (value >= parameter.minimum && value <= parameter.maximum) continue;
        std::string bounds = "at least " + shown(parameter.minimum);
        if (std::isfinite(parameter.maximum)) bounds += " and at most " + shown(parameter.maximum);
        throw std::invalid_argument(name + " " + shown(value) + "; it must be " + bounds);
    }
}

} // namespace

void check(const Policy& policy) {
    if (policy.passes == Passes::periodic && (policy.period <= 0 || policy.period > kLongestPeriod))
        throw std::invalid_argument(
            "a period of " + std::to_string(policy.period) +
            " s between passes; it must be at least 1 s and at most 2^32 s");
    check_parameters(policy);
}

} // namespace slotwise
