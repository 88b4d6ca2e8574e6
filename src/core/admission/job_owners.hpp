// Tests whether a job belongs to any of the listed users, groups, accounts or QOS.
#pragma once

#include "replay/replay_jobs.hpp"
#include "site/named_limits.hpp"
#include "types.hpp"

namespace slotwise {

// Returns true if one of the lists contains an owner of the job. An unknown owner (-1) never
// matches.
bool is_of(const JobOwners& owners, const ReplayJobs& jobs, JobId job);

} // namespace slotwise
