#include "replay/decayed_usage.hpp"

#include "numeric/exponential.hpp"

namespace slotwise {

namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

} // namespace

DecayedUsage::DecayedUsage(double half_life)
    : half_life_(half_life), per_processor_(half_life / kLn2) {}

double DecayedUsage::at(std::int32_t user, Time now) const {
    const auto found = accounts_.find(user);
    return found == accounts_.end() ? 0.0 : at(found->second, now);
}

double DecayedUsage::at(const Account& account, Time now) const {
    if (account.asked_at == now) return account.answer;
    const double left = exp2(-static_cast<double>(now - account.since) / half_life_);
    account.asked_at = now;
    account.answer =
        account.usage * left + static_cast<double>(account.in_use) * per_processor_ * (1.0 - left);
    return account.answer;
}

void DecayedUsage::change(std::int32_t user, ProcCount processors, Time now) {
    Account& account = accounts_.try_emplace(user, Account{now, 0.0, 0, now, 0.0}).first->second;
    account.usage = at(account, now);
    account.since = now;
    account.in_use += processors;
}

} // namespace slotwise
