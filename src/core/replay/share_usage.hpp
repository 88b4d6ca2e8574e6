// The decayed usage of accounts and of their users, and the fair-share factor computed from it.
//
// The classic rule of Slurm is F = 2^(-U / (S · damping)), where U is a fraction of all usage and S
// a fraction of all shares. All accounts have equal shares, and so do all users of an account. The
// usage that counts for a user lies between the user's own usage and that of the account: U = own +
// (account - own) / users.
//
// Example: there are two accounts with one user each, and all usage so far comes from the first
// account. Its user has U = 1 and S = 0.5. With a damping of 1, this user's factor is 2^(-2) =
// 0.25; the factor of the other user is 1.
#pragma once

#include "replay/decayed_usage.hpp"
#include "replay/usage_resets.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

class ShareUsage {
  public:
    ShareUsage(const JobTable& table, double half_life, UsageResets resets);

    void note_start(JobId job, ProcCount processors, Time now);
    void note_end(JobId job, ProcCount processors, Time now);

    // Returns the fair-share factor, between 0 and 1.
    double factor(JobId job, Time now, double damping) const;

  private:
    void number(const JobTable& table);

    std::vector<std::int32_t> account_of_; // indexed by job
    std::vector<std::int32_t> user_of_;    // by job: a user of one account
    std::vector<std::int32_t> n_users_;    // indexed by account
    UsageResets resets_;
    DecayedUsage of_accounts_;
    DecayedUsage of_users_;
    DecayedUsage of_all_;
};

} // namespace slotwise
