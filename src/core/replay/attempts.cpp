#include "replay/attempts.hpp"

#include "replay/replay_error.hpp"

#include <algorithm>
#include <string>

namespace slotwise {

namespace {

// The largest number of attempts of one job. Without this limit, a job that is longer than the time
// between two outages that kill it would be restarted forever.
constexpr std::uint32_t kMostAttempts = 10'000;

} // namespace

AttemptLog::AttemptLog(const AttemptLog& other, const JobTable& table,
                       std::span<const JobId> row_of)
    : table_(&table), rule_(other.rule_), rows_(other.rows_) {
    for (Attempt& attempt : rows_)
        attempt.job = row_of[attempt.job];
    if (other.count_.empty()) return;
    count_.assign(table.size(), 0);
    done_.assign(table.size(), 0);
    for (std::size_t job = 0; job < row_of.size(); ++job) {
        count_[row_of[job]] = other.count_[job];
        done_[row_of[job]] = other.done_[job];
    }
}

void AttemptLog::add(Attempt attempt) {
    const std::size_t job = attempt.job;
    if (count_.empty()) {
        count_.assign(table_->size(), 0);
        done_.assign(table_->size(), 0);
    }
    const AttemptWork work = work_of(attempt.job);
    const Time elapsed = attempt.end - attempt.start;
    const std::int64_t processors = table_->processors[job];
    attempt.number = ++count_[job];
    const bool interrupted =
        attempt.reason == EndReason::crash || attempt.reason == EndReason::outage;
    if (interrupted && attempt.number > kMostAttempts)
        throw ReplayError(
            "job " + std::to_string(table_->job_id.empty() ? attempt.job : table_->job_id[job]) +
            " (position " + std::to_string(job) + " in the trace) was interrupted " +
            std::to_string(kMostAttempts) +
            " times and would never end; make outages or crashes less frequent, let jobs restart "
            "from checkpoints, or set requeue to never");
    attempt.saved = attempt.requeued ? saved_after(work, elapsed, rule_) : 0;
    attempt.lost = processors * (elapsed - attempt.saved);
    attempt.refunded = interrupted ? processors * std::min(elapsed, rule_.refund) : 0;
    done_[job] += attempt.saved;
    rows_.push_back(attempt);
}

AttemptWork AttemptLog::work_of(JobId job) const {
    const Time done = done_.empty() ? 0 : done_[job];
    return {done, table_->run_time[job] - done};
}

std::uint32_t AttemptLog::count(JobId job) const {
    return count_.empty() ? 0 : count_[job];
}

} // namespace slotwise
