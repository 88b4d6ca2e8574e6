// Decayed usage of accounts and of their users, and the fair-share factor that follows from it.
//
// Classic rule of Slurm, F = 2^(-U / (S · damping)): U is the fraction of all usage, S the fraction
// of all shares. Accounts have equal shares, and so do the users of an account. The usage that
// counts for a user lies between the user's own usage and that of the account: U = own + (account -
// own) / users. Example: two accounts, one user each. All usage so far comes from the first
// account. Its user has U = 1 and S = 0.5, hence, with damping 1, the factor 2^(-2) = 0.25. The
// factor of the other user is 1.
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

    // Between 0 and 1.
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
