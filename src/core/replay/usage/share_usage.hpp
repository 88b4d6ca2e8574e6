// The decayed usage of accounts and of their users, and the fair-share factor computed from it.
//
// The classic rule of Slurm is F = 2^(-U / (S · damping)), where U is a fraction of all usage and S
// a fraction of all shares. Without a table of shares, all accounts have equal shares, and so do
// all users of an account. The usage that counts for a user lies between the user's own usage and
// that of the account: U = own + (account - own) · P, where P is the user's part of the account's
// shares.
//
// Example: there are two accounts with one user each, and all usage so far comes from the first
// account. Its user has U = 1 and S = 0.5. With a damping of 1, this user's factor is 2^(-2) =
// 0.25; the factor of the other user is 1. If the first account has 3 of 4 shares, S = 0.75, and
// its user's factor is 2^(-4/3) = 0.40.
//
// Usage is either always up to date, or computed only at renewals (renewed_usage.hpp).
#pragma once

#include "replay/usage/decayed_usage.hpp"
#include "replay/usage/renewed_usage.hpp"
#include "replay/usage/usage_resets.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotwise {

class ShareUsage {
  public:
    // The keys of `shares` are codes of accounts, or of an account and a user in the form
    // "account/user". If a name is not in the trace, its key begins with "?"; it has shares, but no
    // usage. An account or user in the trace has one share if `shares` has no key for it. If
    // `shares` is empty, all shares are equal.
    ShareUsage(const JobTable& table, double half_life, UsageResets resets, UsageRenewals renewals,
               const std::map<std::string, double>& shares);

    void note_start(JobId job, ProcCount processors, Time now);
    void note_end(JobId job, ProcCount processors, Time now);

    // Runs the renewals that are due; `waiting` lists the waiting jobs in ascending order. The
    // function is const because it only brings usage up to `now`.
    void renew(std::span<const JobId> waiting, Time now) const;

    // Returns the fair-share factor, between 0 and 1.
    double factor(JobId job, Time now, double damping) const;

  private:
    using Owner = std::pair<std::int32_t, std::int32_t>; // codes of an account and a user

    std::map<Owner, std::int32_t> number(const JobTable& table);
    void divide(const std::map<Owner, std::int32_t>& users,
                const std::map<std::string, double>& shares);
    UsageParts current_parts(JobId job, Time now) const;

    std::vector<std::int32_t> account_of_; // indexed by job
    std::vector<std::int32_t> user_of_;    // by job; a user of two accounts counts as two users
    std::vector<std::int32_t> n_users_;    // indexed by account
    std::vector<double> in_account_;       // by user: part of the account's shares; empty: equal
    std::vector<double> of_root_;          // by user: part of all shares; empty: equal
    UsageResets resets_;
    DecayedUsage of_accounts_;
    DecayedUsage of_users_;
    DecayedUsage of_all_;
    mutable std::optional<RenewedUsage> renewed_; // if set, the three members above are not used
};

} // namespace slotwise
