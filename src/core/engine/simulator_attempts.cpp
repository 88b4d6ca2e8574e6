// Simulator: attempts that the calendar ends, how long the next one lasts, and what became of all.
#include "engine/simulator.hpp"
#include "replay/job_ends.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise {

// Before the arrivals and the pass of the instant, so that what is stopped may start in it again.
void Simulator::follow_calendar() {
    scheduler_->follow(Instant{now_, ended_, {}}, starts_);
    ended_.clear();
    stop_jobs();
    next_change_ = scheduler_->next_change();
}

void Simulator::stop_jobs() {
    std::vector<JobId> stopped;
    for (const auto& [job, pool, reason, requeued] : starts_.stops) {
        stopped.push_back(job);
        if (!jobs_.usage.empty()) jobs_.note_end(job, now_);
        attempts_.add({.job = job,
                       .pool = pool,
                       .start = schedule_.start[job],
                       .end = now_,
                       .reason = reason,
                       .requeued = requeued});
        if (requeued) {
            schedule_.start[job] = kNotStarted;
            schedule_.backfilled[job] = 0;
            jobs_.run_time[job] = length_of_attempt(job);
        } else {
            ++n_ended_;
        }
    }
    completions_.remove(stopped);
    starts_.stops.clear();
    starts_.rejected.clear();
}

// Checkpoints lengthen an attempt, its nodes may change it.
Time Simulator::uncut_length_of_attempt(JobId job) const {
    const Time length = length_of(attempts_.work_of(job), site_.interruption);
    if (placement_run_times_ == nullptr) return length;
    return placement_run_times_->length(job, length, schedule_.placements.of(job));
}

// Its limit cuts it.
Duration Simulator::length_of_attempt(JobId job) const {
    const Time length = uncut_length_of_attempt(job);
    if (site_.policy.kill_at_limit)
        return static_cast<Duration>(std::min(length, table_->requested_time[job]));
    if (length <= Time{kMaxDuration}) return static_cast<Duration>(length);
    const std::int64_t number = table_->job_id.empty() ? job : table_->job_id[job];
    throw std::invalid_argument("job " + std::to_string(number) + " (position " +
                                std::to_string(job) + " in the trace) would run " +
                                std::to_string(length) +
                                " s with its checkpoints, on its nodes; at most 2^32 - 2 s can be "
                                "replayed: write fewer, or lower gamma");
}

// Keeps the nodes of the jobs that start, which may change how long they run.
void Simulator::settle_on_nodes() {
    for (std::size_t i = 0; i < starts_.jobs.size(); ++i) {
        const JobId job = starts_.jobs[i].job;
        schedule_.placements.set(job, starts_.nodes_of(i));
        if (placement_run_times_ != nullptr) jobs_.run_time[job] = length_of_attempt(job);
    }
    starts_.nodes.clear();
    starts_.nodes_end.clear();
}

Schedule Simulator::take_schedule() {
    const bool as_given = attempts_.rows().empty() && placement_run_times_ == nullptr &&
                          site_.interruption.checkpoint_cost == 0;
    end_jobs(
        schedule_, jobs_,
        [&](JobId job) { return as_given ? table_->run_time[job] : uncut_length_of_attempt(job); },
        [&](JobId job) { return routing_ == nullptr || routing_->rejects(job); });
    for (const Attempt& attempt : attempts_.rows()) {
        if (attempt.requeued) continue;
        schedule_.end[attempt.job] = attempt.end;
        schedule_.state[attempt.job] = static_cast<std::uint8_t>(
            attempt.reason == EndReason::cancelled ? State::cancelled : State::interrupted);
    }
    schedule_.interrupted = attempts_.rows();
    scheduler_->describe(schedule_);
    return std::move(schedule_);
}

} // namespace slotwise
