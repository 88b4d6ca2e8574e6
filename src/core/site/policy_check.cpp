#include "site/policy_check.hpp"

#include "guard.hpp"
#include "site/backfill.hpp"

#include <algorithm>

namespace slotwise {

void check(const Policy& policy) {
    constexpr Time kLongestPeriod = Time{1} << 32;
    guard(policy.passes != Passes::periodic ||
              (policy.period >= 1 && policy.period <= kLongestPeriod),
          "period", "it must be at least 1 s and at most 2^32 s");
    if (policy.parameters.empty()) return;
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    for (const auto& [name, value] : policy.parameters) {
        const auto known =
            std::find_if(entry.parameters.begin(), entry.parameters.end(),
                         [&](const ParameterInfo& each) { return each.name == name; });
        guard(known != entry.parameters.end(), name, "the backfill has no such parameter");
        guard(value >= known->minimum && value <= known->maximum, name,
              "it must lie within the allowed range");
    }
}

} // namespace slotwise
