#include "replay/usage/decayed_usage.hpp"

#include "numeric/exponential.hpp"

namespace slotwise {

namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

} // namespace

DecayedUsage::DecayedUsage(double half_life)
    : half_life_(half_life), per_processor_(half_life / kLn2) {}

double DecayedUsage::at(std::int32_t user, Time now, Time cleared) const {
    const auto found = accounts_.find(user);
    return found == accounts_.end() ? 0.0 : at(found->second, now, cleared);
}

double DecayedUsage::at(const Account& account, Time now, Time cleared) const {
    if (account.asked_at == now) return account.answer;
    const bool is_cleared = account.since < cleared;
    const double before = is_cleared ? 0.0 : account.usage;
    const auto passed = static_cast<double>(now - (is_cleared ? cleared : account.since));
    const auto in_use = static_cast<double>(account.in_use);
    account.asked_at = now;
    if (half_life_ == 0) {
        account.answer = before + in_use * passed;
    } else {
        const double left = exp2(-passed / half_life_);
        account.answer = before * left + in_use * per_processor_ * (1.0 - left);
    }
    return account.answer;
}

void DecayedUsage::change(std::int32_t user, ProcCount processors, Time now, Time cleared) {
    Account& account = accounts_.try_emplace(user, Account{now, 0.0, 0, now, 0.0}).first->second;
    account.usage = at(account, now, cleared);
    account.since = now;
    account.in_use += processors;
}

} // namespace slotwise
