#include "admission/job_owners.hpp"

#include <algorithm>
#include <cstddef>

namespace slotwise {

bool is_of(const JobOwners& owners, const ReplayJobs& jobs, JobId job) {
    for (std::size_t scope = 1; scope < kLimitScopes; ++scope) {
        const std::vector<std::int32_t>& known = owners.of(static_cast<LimitScope>(scope));
        if (known.empty()) continue;
        const std::int32_t who = jobs.owner(job, static_cast<LimitScope>(scope));
        if (who >= 0 && std::find(known.begin(), known.end(), who) != known.end()) return true;
    }
    return false;
}

} // namespace slotwise
