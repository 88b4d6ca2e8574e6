// Membership of a job in a list of users, groups, accounts and qualities of service.
#pragma once

#include "replay/replay_jobs.hpp"
#include "site/named_limits.hpp"
#include "types.hpp"

namespace slotwise {

// True if one of the lists names the job; a job of an unknown owner, -1, is not named.
bool is_of(const JobOwners& owners, const ReplayJobs& jobs, JobId job);

} // namespace slotwise
