#include "engine/attempt_lengths.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace slotwise {

Time AttemptLengths::uncut(JobId job, std::span<const NodeInterval> nodes) const {
    const Time length = length_of(log_.work_of(job), site_->interruption);
    return placement_ == nullptr ? length : placement_->length(job, length, nodes);
}

Duration AttemptLengths::cut(JobId job, std::span<const NodeInterval> nodes) const {
    const Time length = uncut(job, nodes);
    if (site_->policy.kill_at_limit)
        return static_cast<Duration>(std::min(length, table_->requested_time[job]));
    if (length <= Time{kMaxDuration}) return static_cast<Duration>(length);
    const std::int64_t number = table_->job_id.empty() ? job : table_->job_id[job];
    throw std::invalid_argument("job " + std::to_string(number) + " (position " +
                                std::to_string(job) + " in the trace) would run for " +
                                std::to_string(length) +
                                " s, including the time for checkpoints and the placement effect; "
                                "the longest run time allowed is 2^32 - 2 s: write fewer "
                                "checkpoints, or use a smaller gamma in the placement effect");
}

void AttemptLengths::set_next(ReplayJobs& jobs, JobId job,
                              std::span<const NodeInterval> nodes) const {
    jobs.run_time.change()[job] = cut(job, nodes);
    if (!site_->dependencies) return;
    if (jobs.is_cut.empty()) {
        jobs.is_cut.resize(jobs.size());
        for (JobId other = 0; other < jobs.size(); ++other)
            jobs.is_cut[other] = jobs.run_time[other] < table_->run_time[other] ? 1 : 0;
    }
    jobs.is_cut[job] = jobs.run_time[job] < uncut(job, nodes) ? 1 : 0;
}

} // namespace slotwise
