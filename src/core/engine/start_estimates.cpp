// Estimates of the time at which a job starts in a simulation. For each estimate, a copy of the
// simulation runs ahead.
#include "engine/simulation.hpp"

#include <algorithm>
#include <stdexcept>

namespace slotwise {

Time Simulation::estimate_start(const NewJob& job) const {
    Simulation copy(*this);
    copy.take_in();
    copy.submit(job);
    copy.take_in();
    const JobId row = copy.find(job.job_id);
    const auto& submit = copy.recipe_.table->submit;
    const auto come = std::upper_bound(submit.begin(), submit.end(), now_) - submit.begin();
    for (JobId other = static_cast<JobId>(come); other < copy.recipe_.table->size(); ++other)
        if (other != row) copy.live_.tracker().set_bar(other, Bar::cancelled);
    if (live_.site().policy.estimates != Estimates::exact) {
        Simulator& loop = copy.live_.loop();
        loop.take_lengths(loop.jobs().requested_time, copy.live_.tracker().running(), copy.now_);
    }
    copy.live_.settle(copy.moment());
    copy.live_.loop().run({}, row);
    return copy.live_.loop().schedule().start[row];
}

Time Simulation::start_under(JobId job, std::span<const Time> run_time,
                             std::span<const JobId> without) const {
    const ReplayJobs& jobs = live_.loop().jobs();
    if (run_time.size() != jobs.size() || job >= jobs.size())
        throw std::invalid_argument(std::to_string(run_time.size()) + " run times for " +
                                    std::to_string(jobs.size()) + " jobs; pass one per job");
    Simulation copy(*this);
    copy.take_in();
    for (const JobId other : without)
        if (other != job && other >= copy.live_.loop().arrivals().position())
            copy.live_.tracker().set_bar(other, Bar::cancelled);
    std::vector<Duration> length(run_time.size());
    for (std::size_t row = 0; row < length.size(); ++row) {
        const Time most =
            live_.site().policy.kill_at_limit ? jobs.requested_time[row] : kMaxDuration;
        length[row] = static_cast<Duration>(std::clamp<Time>(run_time[row], 0, most));
    }
    copy.live_.loop().take_lengths(length, copy.live_.tracker().running(), copy.now_);
    copy.live_.settle(copy.moment());
    copy.live_.loop().run({}, job);
    return copy.live_.loop().schedule().start[job];
}

} // namespace slotwise
