// The usage of accounts and users as Slurm calculates it: at intervals instead of continuously.
//
// A renewal takes place every `period` seconds. First, all usage decays. Then, for each running
// job, the usage since it started or was last counted is added. When a job ends, the rest of its
// usage is added.
//
// Two fractions of all usage determine the fair share. The fraction of an account is fixed at the
// beginning of a renewal, before usage decays. The fraction of a user is fixed when a waiting job
// first needs it after the beginning of the renewal.
//
// Example: a job on one processor starts at time 0, and the period is 300 s. Usage remains 0 until
// the renewal at time 300, and the user's fraction is 1 from then on. The account's fraction is 0
// until the next renewal, and 1 from then on.
#pragma once

#include "replay/usage/usage_resets.hpp"
#include "types.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace slotwise {

// If `period` is 0, there are no renewals. Otherwise, the first one is `period` seconds after
// `origin`.
struct UsageRenewals {
    Time origin = 0;
    Time period = 0;
};

// The fractions of all usage that belong to an account and to one of its users.
struct UsageParts {
    double of_account;
    double of_user;
};

class RenewedUsage {
  public:
    // Accounts and users are numbered from 0, and account_of[user] is the account of a user.
    RenewedUsage(double half_life, UsageResets resets, UsageRenewals renewals,
                 std::vector<std::int32_t> account_of, std::size_t n_accounts);

    // Calls must be made in chronological order. Events at the same instant must come in this
    // order: ends of jobs, the renewal, starts of jobs.
    void note_start(JobId job, std::int32_t user, ProcCount processors, Time now);
    void note_end(JobId job, Time now);

    // Runs the renewals that are due. `waiting` lists the waiting jobs in ascending order, and
    // user_of[job] is the user of a job. A renewal goes through running and waiting jobs together,
    // in ascending order: the usage of a running job is added, and a waiting job fixes its user's
    // fraction.
    void renew(std::span<const JobId> waiting, std::span<const std::int32_t> user_of, Time now);

    // Runs the renewals that are due, and returns the fractions that then apply to a user.
    UsageParts parts(std::int32_t user, Time now);

  private:
    struct Running {
        std::int32_t user;
        ProcCount processors;
        Time counted_until;
    };

    void renew_before(Time now); // runs renewals due before `now`, with no waiting jobs
    void begin_renewal(Time now);
    void count(Running& running, Time now);
    double of_user(std::int32_t user);
    double decay_over(Time seconds) const;

    double per_second_; // factor by which usage decays each second
    UsageResets resets_;
    Time period_;
    Time next_renewal_;
    Time last_renewal_;
    Time cleared_; // the last reset that has been carried out
    std::vector<std::int32_t> account_of_;
    std::map<JobId, Running> running_;
    double all_ = 0;
    std::vector<double> of_accounts_; // usage by account
    std::vector<double> of_users_;    // usage by user
    std::vector<double> account_parts_;
    std::vector<double> user_parts_; // negative: not fixed yet
};

} // namespace slotwise
