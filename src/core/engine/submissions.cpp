#include "engine/submissions.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

constexpr std::int64_t kLargestNumber = std::numeric_limits<std::int64_t>::max() - 1;

// Returns the number for the next job: one more than the largest number in the table, but at least
// 1.
std::int64_t next_number(const JobTable& table) {
    const auto& ids = table.job_id;
    if (ids.empty()) return 1;
    const std::int64_t largest = *std::max_element(ids.begin(), ids.end());
    if (largest > kLargestNumber)
        throw std::invalid_argument(
            "job_id " + std::to_string(largest) +
            " leaves no number for another job; the largest job_id allowed is " +
            std::to_string(kLargestNumber) + ": use smaller numbers");
    return std::max<std::int64_t>(0, largest) + 1;
}

} // namespace

Submissions::Submissions(const JobTable& table) : next_job_id_(next_number(table)) {}

void Submissions::add(const NewJob& job, const JobTable& table, const Site& site, Time earliest) {
    check(job, table, site, earliest);
    jobs_.push_back(job);
    next_job_id_ = std::max(next_job_id_, job.job_id + 1);
}

void Submissions::check(const NewJob& job, const JobTable& table, const Site& site,
                        Time earliest) const {
    const auto fault = [&](const std::string& why) {
        throw std::invalid_argument("job " + std::to_string(job.job_id) + ": " + why);
    };
    if (job.job_id > kLargestNumber)
        fault("the largest job_id allowed is " + std::to_string(kLargestNumber) +
              "; use a smaller number");
    if (job.submit < earliest)
        fault("submit is " + std::to_string(job.submit) + ", but the time is " +
              std::to_string(earliest) + "; a job can only be submitted now or later");
    if (!site.placement.is_none() && site.placement.beta < 1)
        fault("the placement effect applies to jobs sampled from the whole trace, so no job can be "
              "submitted; add the job to the trace, or set beta = 1");
    if (job.processors < 1 || job.processors > site.processors)
        fault("processors is " + std::to_string(job.processors) +
              "; it must lie between 1 and the machine's " + std::to_string(site.processors) +
              " processors");
    const auto longest = static_cast<std::int64_t>(kMaxDuration);
    const auto check_length = [&](const char* name, std::int64_t seconds) {
        if (seconds < 0 || seconds > longest)
            fault(std::string(name) + " is " + std::to_string(seconds) +
                  " s; it must lie between 0 and 2^32 - 2 seconds");
    };
    check_length("run_time", job.run_time);
    check_length("requested_time", job.requested_time);
    if (job.submit > kMaxTime)
        fault("submit is " + std::to_string(job.submit) + "; it must be at most 2^53 seconds");
    if (job.eligible > kMaxTime)
        fault("eligible is " + std::to_string(job.eligible) + "; it must be at most 2^53 seconds");
    if (job.job_id >= next_job_id_) return;
    const auto& ids = table.job_id;
    if (std::find(ids.begin(), ids.end(), job.job_id) != ids.end() ||
        std::any_of(jobs_.begin(), jobs_.end(),
                    [&](const NewJob& other) { return other.job_id == job.job_id; }))
        fault("another job has this number; omit job_id, or use another number");
}

} // namespace slotwise
