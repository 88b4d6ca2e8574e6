#include "site/policy_check.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

constexpr Time kLongestPeriod = Time{1} << 32;
constexpr std::int64_t kWidestWindow = 1000;

} // namespace

void check(const Policy& policy) {
    if (policy.passes == Passes::periodic && (policy.period <= 0 || policy.period > kLongestPeriod))
        throw std::invalid_argument(
            "a period of " + std::to_string(policy.period) +
            " s between passes; it must be at least 1 s and at most 2^32 s");
    if (policy.depth < 1)
        throw std::invalid_argument("depth " + std::to_string(policy.depth) +
                                    "; at least 1 reservation is needed ('first-fit' has none)");
    if (!(policy.relaxation >= 0))
        throw std::invalid_argument("relaxation " + std::to_string(policy.relaxation) +
                                    "; it must be 0 or more");
    if (policy.window < 1 || policy.window > kWidestWindow)
        throw std::invalid_argument("a window of " + std::to_string(policy.window) +
                                    " jobs; give between 1 and " + std::to_string(kWidestWindow));
    if (policy.age_limit < 0)
        throw std::invalid_argument("an age limit of " + std::to_string(policy.age_limit) +
                                    " s; it must be 0 or more");
}

} // namespace slotwise
