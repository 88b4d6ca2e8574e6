#include "admission/limit_accounts.hpp"

namespace slotwise {

LimitAccounts::LimitAccounts(const OwnerLimits& limits)
    : are_owners_(limits.has_one_scope() && !limits.has_limits_of_queues()),
      by_queue_(limits.has_limits_of_queues()) {
    if (are_owners_) return;
    numbers_.resize(limits.n_scopes());
    for (std::size_t scope = 0; scope < limits.n_scopes(); ++scope)
        lists_.emplace_back(limits.n_owners_in(scope));
}

std::uint32_t LimitAccounts::number_of(JobId job, QueueId queue, const OwnerLimits& limits) {
    if (are_owners_) return limits.owner(job);
    const std::uint32_t account = find(job, queue, limits);
    if (account >= accounts_.size()) accounts_.resize(std::size_t{account} + 1, {job});
    for (std::size_t scope = 0; scope < lists_.size(); ++scope) {
        const std::uint32_t owner = limits.owner_in(scope, job);
        if (owner == OwnerLimits::kUnknown || (accounts_[account].listed_in >> scope & 1U) != 0)
            continue;
        lists_[scope][owner].push_back(account);
        accounts_[account].listed_in |= 1U << scope;
    }
    return account;
}

std::uint32_t LimitAccounts::find(JobId job, QueueId queue, const OwnerLimits& limits) {
    std::uint32_t number = by_queue_ ? queue : 0;
    for (std::size_t scope = 0; scope < numbers_.size(); ++scope) {
        const std::uint64_t pair = (std::uint64_t{number} << 32U) | limits.owner_in(scope, job);
        const auto next = static_cast<std::uint32_t>(numbers_[scope].size());
        number = numbers_[scope].try_emplace(pair, next).first->second;
    }
    return number;
}

} // namespace slotwise
