// Accounts of waiting jobs: jobs that every limit treats alike, apart from their processors.
//
// Example: with limits per user and per group, the jobs of user 1 in group 2 have one account. A
// job of user 3 in group 2 shares its group with this account, so its start may hold back jobs of
// both.
#pragma once

#include "admission/owner_limits.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

// The jobs of an account have the same owner in every scope, and the same queue if a queue has
// limits. If there is one scope and no queue has limits, its owner numbers are the accounts.
class LimitAccounts {
  public:
    static constexpr std::uint32_t kNone = OwnerLimits::kUnknown; // jobs without limits

    LimitAccounts() = default;
    explicit LimitAccounts(const OwnerLimits& limits);

    // Account of a job; assigns the next number to a new account. The account is then visited by
    // for_each_sharing(), until is_used() is false for it.
    std::uint32_t number_of(JobId job, QueueId queue, const OwnerLimits& limits);

    // Calls visit(account, some job of it) for the accounts that share an owner with the job.
    template <class IsUsed, class Visitor>
    void for_each_sharing(JobId job, const OwnerLimits& limits, IsUsed&& is_used, Visitor&& visit) {
        if (are_owners_) {
            if (const std::uint32_t owner = limits.owner(job); owner != kNone) visit(owner, job);
            return;
        }
        for (std::size_t scope = 0; scope < lists_.size(); ++scope) {
            const std::uint32_t owner = limits.owner_in(scope, job);
            if (owner == OwnerLimits::kUnknown) continue;
            std::vector<std::uint32_t>& listed = lists_[scope][owner];
            for (std::size_t i = 0; i < listed.size();) {
                const std::uint32_t account = listed[i];
                if (is_used(account)) {
                    visit(account, accounts_[account].some_job);
                    ++i;
                    continue;
                }
                accounts_[account].listed_in &= ~(1U << scope);
                listed[i] = listed.back();
                listed.pop_back();
            }
        }
    }

  private:
    struct Account {
        JobId some_job;
        unsigned listed_in = 0; // bits of scopes
    };

    std::uint32_t find(JobId job, QueueId queue, const OwnerLimits& limits);

    bool are_owners_ = true;
    bool by_queue_ = false;
    // Numbers of pairs: a number of owners in some scopes, and an owner in the next scope.
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> numbers_;
    std::vector<Account> accounts_;                              // if accounts are not owners
    std::vector<std::vector<std::vector<std::uint32_t>>> lists_; // by scope and owner
};

} // namespace slotwise
