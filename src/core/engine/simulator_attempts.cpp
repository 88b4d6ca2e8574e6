// The part of Simulator that ends attempts when the calendar requires it, and that computes the
// schedule from all attempts.
#include "engine/simulator.hpp"
#include "replay/job_ends.hpp"

#include <utility>
#include <vector>

namespace slotwise {

// Runs before the arrivals and the pass of the same instant, so a stopped job may start again in
// that pass.
void Simulator::follow_calendar() {
    scheduler_->follow(Instant{now_, ended_, {}}, starts_);
    ended_.clear();
    std::vector<JobId> stopped;
    for (const auto& [job, pool, reason, requeued] : starts_.stops) {
        stopped.push_back(job);
        if (jobs_.follows_usage()) jobs_.note_end(job, now_);
        lengths_.log().add({.job = job,
                            .pool = pool,
                            .start = schedule_.start[job],
                            .end = now_,
                            .reason = reason,
                            .requeued = requeued});
        if (requeued) {
            schedule_.start.set(job, kNotStarted);
            schedule_.backfilled.set(job, 0);
            lengths_.set_next(jobs_, job, schedule_.placements.of(job));
        } else {
            ++n_ended_;
        }
    }
    completions_.remove(stopped);
    starts_.stops.clear();
    starts_.rejected.clear();
    next_change_ = scheduler_->next_change();
}

// Stores the nodes of the jobs that have just started, and updates the run times that depend on
// these nodes.
void Simulator::settle_on_nodes() {
    for (std::size_t i = 0; i < starts_.jobs.size(); ++i) {
        const JobId job = starts_.jobs[i].job;
        schedule_.placements.set(job, starts_.nodes_of(i));
        if (lengths_.follows_placement())
            jobs_.run_time.change()[job] = lengths_.cut(job, schedule_.placements.of(job));
    }
    starts_.nodes.clear();
    starts_.nodes_end.clear();
}

Schedule Simulator::take_schedule() {
    const std::vector<Attempt>& stopped = lengths_.log().rows();
    const bool as_given = stopped.empty() && !lengths_.follows_placement() &&
                          site_->interruption.checkpoint_cost == 0;
    Schedule schedule;
    schedule.start = schedule_.start.taken();
    schedule.backfilled = schedule_.backfilled.taken();
    if (routing_ != nullptr) schedule.reject_reason = routing_->reject_reason;
    end_jobs(
        schedule, jobs_,
        [&](JobId job) {
            return as_given ? table_->run_time[job]
                            : lengths_.uncut(job, schedule_.placements.of(job));
        },
        [&](JobId job) { return routing_ == nullptr || routing_->rejects(job); });
    for (const Attempt& attempt : stopped) {
        if (attempt.requeued) continue;
        schedule.end[attempt.job] = attempt.end;
        schedule.state[attempt.job] = static_cast<std::uint8_t>(
            attempt.reason == EndReason::cancelled ? State::cancelled : State::interrupted);
    }
    schedule.interrupted = stopped;
    scheduler_->describe(schedule);
    schedule.placements = std::move(schedule_.placements);
    return schedule;
}

} // namespace slotwise
