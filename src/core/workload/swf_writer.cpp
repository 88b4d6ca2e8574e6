#include "workload/swf_writer.hpp"

#include "workload/swf_line.hpp"

#include <charconv>

namespace slotwise {

namespace {

constexpr std::size_t kWidestNumber = 21; // characters per field: a sign, 19 digits, a blank

template <class Value> std::int64_t at(const std::vector<Value>& column, std::size_t job) {
    return column.empty() ? -1 : static_cast<std::int64_t>(column[job]);
}

SwfRow row_of(const JobTable& jobs, std::size_t job, const SwfSchedule* schedule) {
    SwfRow row;
    row[kJobId] = at(jobs.job_id, job);
    row[kSubmit] = jobs.submit[job];
    row[kWait] = schedule ? schedule->wait[job] : at(jobs.wait, job);
    row[kRunTime] = schedule ? schedule->run_time[job] : jobs.run_time[job];
    row[kAllocatedProcessors] = at(jobs.allocated_processors, job);
    row[kCpuTime] = at(jobs.cpu_time, job);
    row[kUsedMemory] = at(jobs.used_memory, job);
    row[kRequestedProcessors] =
        jobs.requested_processors.empty() ? jobs.processors[job] : jobs.requested_processors[job];
    const bool has_request = schedule || at(jobs.has_request, job) != 0;
    row[kRequestedTime] = has_request ? jobs.requested_time[job] : -1;
    row[kRequestedMemory] = at(jobs.requested_memory, job);
    row[kStatus] = schedule ? schedule->status[job] : at(jobs.status, job);
    row[kUser] = at(jobs.user, job);
    row[kGroup] = at(jobs.group, job);
    row[kExecutable] = at(jobs.executable, job);
    row[kQueue] = at(jobs.queue, job);
    row[kPartition] = at(jobs.partition, job);
    row[kPrecedingJob] = at(jobs.preceding_job, job);
    row[kThinkTime] = at(jobs.think_time, job);
    return row;
}

} // namespace

std::string format_swf(const JobTable& jobs, std::size_t first, std::size_t last,
                       const SwfSchedule* schedule) {
    std::string text;
    char line[kSwfFields * kWidestNumber];
    for (std::size_t job = first; job < last; ++job) {
        char* end = line;
        for (const std::int64_t field : row_of(jobs, job, schedule)) {
            end = std::to_chars(end, line + sizeof line, field).ptr;
            *end++ = ' ';
        }
        end[-1] = '\n';
        text.append(line, end);
    }
    return text;
}

} // namespace slotwise
