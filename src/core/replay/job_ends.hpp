// Computes the end time and the final state of each job from the start times of a replay.
#pragma once

#include "replay/replay_jobs.hpp"
#include "replay/schedule.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

// `uncut(job)` returns the run time that the job would have without a limit. `rejects(job)` returns
// true if a job that has not started is rejected.
template <class Uncut, class Rejects>
void end_jobs(Schedule& schedule, const ReplayJobs& jobs, Uncut&& uncut, Rejects&& rejects) {
    const std::size_t n = jobs.size();
    schedule.end.resize(n);
    schedule.state.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
        const auto job = static_cast<JobId>(row);
        const bool ran = schedule.start[job] != kNotStarted;
        const bool killed = jobs.run_time[job] < uncut(job);
        schedule.end[job] = ran ? schedule.start[job] + jobs.run_time[job] : kNotStarted;
        schedule.state[job] = static_cast<std::uint8_t>(ran && killed  ? State::killed
                                                        : ran          ? State::completed
                                                        : rejects(job) ? State::rejected
                                                                       : State::waiting);
    }
}

} // namespace slotwise
