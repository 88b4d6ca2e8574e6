// Groups waiting jobs into limit accounts, which are unrelated to Slurm accounts. The limits treat
// all jobs of a limit account alike if these need the same number of processors.
//
// Example with limits per user and per group: the jobs of user 1 in group 2 form one limit account.
// A job of user 3 in group 2 belongs to another limit account, but counts towards the same group
// limit. When it starts, this limit may hold back the jobs of both users.
#pragma once

#include "admission/owner_limits.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

// The jobs of an account have the same owner in every scope and, if queues have limits, the same
// queue. If there is only one scope and no queue has limits, each owner in that scope is an
// account.
class LimitAccounts {
  public:
    static constexpr std::uint32_t kNone = OwnerLimits::kUnknown; // used for jobs without limits

    LimitAccounts() = default;
    explicit LimitAccounts(const OwnerLimits& limits);

    // Returns the account of a job. A new account gets the next number. From then on,
    // for_each_sharing() visits the account as long as is_used(account) returns true.
    std::uint32_t number_of(JobId job, QueueId queue, const OwnerLimits& limits);

    // Calls visit(account, one of its jobs) for each account that shares an owner with the job.
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
        unsigned listed_in = 0; // one bit per scope
    };

    std::uint32_t find(JobId job, QueueId queue, const OwnerLimits& limits);

    bool are_owners_ = true;
    bool by_queue_ = false;
    // Numbers for combinations of owners, with one map per scope. Each key consists of the number
    // from the previous map and the owner in this scope.
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> numbers_;
    std::vector<Account> accounts_; // empty if every account is a single owner
    std::vector<std::vector<std::vector<std::uint32_t>>> lists_; // by scope and owner
};

} // namespace slotwise
