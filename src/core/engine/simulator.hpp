// The event loop of one replay: its clock, its events and its schedule. A scheduler decides which
// jobs start.
#pragma once

#include "admission/routing.hpp"
#include "engine/arrivals/arrivals.hpp"
#include "engine/attempt_lengths.hpp"
#include "engine/event_queue.hpp"
#include "engine/progress_meter.hpp"
#include "planner/scheduler.hpp"
#include "replay/limit_checks.hpp"
#include "replay/progress.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/schedule.hpp"
#include "replay/schedule_so_far.hpp"
#include "site/prepared_site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class Simulator {
  public:
    // Throws std::invalid_argument if an order or a backfill rule is not registered, or if no job
    // of the trace fits on the machine.
    Simulator(std::shared_ptr<const JobTable> table, PreparedSite site);

    // Replays `jobs`, a subset of the jobs in a trace, on a site that consists only of a machine
    // and a policy. Only the submit times of `table` are read. In the resulting schedule, only the
    // start times are valid.
    Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, PreparedSite site);

    // Like the first constructor, but with the scheduler that `make` returns. Also accepts a trace
    // that is empty or in which no job fits on the machine.
    Simulator(std::shared_ptr<const JobTable> table, PreparedSite site, const MakeScheduler& make);

    // Continues from the state of `other` on `site`, with `table`; the site must consist only of a
    // machine and a policy. In `other`, all events up to and including `handled` have been handled.
    // Job j of the table of `other` is row row_of[j] of `table`; row_of is ascending. Only rows
    // submitted after `handled` still arrive. Running jobs end when they would have ended in
    // `other`. `make` returns a scheduler that has already taken over the state of the replay.
    Simulator(const Simulator& other, std::shared_ptr<const JobTable> table, PreparedSite site,
              std::span<const JobId> row_of, Time handled, const MakeScheduler& make);

    // The copy shares the trace with `other`, and shares each block of the job columns until one of
    // the two simulators changes it.
    Simulator(const Simulator& other);

    // Handles all events, or only those up to and including the instant at which the job
    // `until_started` starts.
    void run(const Progress& progress = {}, JobId until_started = kNoJob);

    void run_before(Time limit, const Progress& progress = {});

    // Handles the next step. Depending on Policy::passes, a step is an instant, a single event, or
    // a pass. Returns false if there is nothing left to do.
    bool step();

    // Returns the time of the next step, or kNever.
    Time next_step() const;

    // Lets a job that is not running arrive at `now`. Unless it is rejected, it joins the queue in
    // the pass that is then due.
    void arrive(JobId job, Time now);

    // Returns true if the job has ended since the last pass. The scheduler still counts such a job
    // as running.
    bool has_ended(JobId job) const;

    // Ends a running job at `now`. This is reported to the scheduler in the pass that is then due.
    void stop(JobId job, Time now);

    // Sets the run time of each job that has not ended to its value in `length`, which has one
    // value per row. A running job ends in the next second at the earliest. `running` lists the
    // running jobs in order of start; it may include jobs that have ended since the last pass.
    void take_lengths(std::span<const Duration> length, std::span<const JobId> running, Time now);

    // Sets the priority that the user gives to a job. If `moves` is true, the job must be waiting
    // in the scheduler, which then moves it to its new place immediately. Otherwise, the scheduler
    // reads the priority when the job arrives, or when the scheduler is built.
    void set_priority(JobId job, double priority, bool moves);

    // Continues on `site`, which differs from the current site only in its policy. The site must
    // consist only of a machine and a policy. Calls `adopts` with the scheduler's new context. If
    // `adopts` returns false, nothing changes.
    bool change_plain_policy(const PreparedSite& site,
                             const std::function<bool(const ReplayContext&)>& adopts);

    // Continues under another policy. Must not be called if the site consists only of a machine and
    // a policy. The new policy must have the same kill_at_limit, because run times depend on it. If
    // `dispatcher` is not null, it decides from then on. If this throws an exception, nothing has
    // changed.
    void change_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher);

    // Requests a pass at `now` or, if passes are periodic, at the next multiple of the period.
    void ask_for_pass(Time now);

    // Runs the pass again after it threw an exception. The scheduler has already received the
    // events of that pass.
    void repeat_pass();

    // Returns the start time and the backfilled flag of every job so far.
    const ScheduleSoFar& schedule() const { return schedule_; }

    // Returns the complete schedule, with end times and states computed from the start times. The
    // simulator cannot continue afterwards.
    Schedule take_schedule();
    Time now() const { return now_; }
    const ReplayJobs& jobs() const { return jobs_; }
    Scheduler& scheduler() { return *scheduler_; }
    Arrivals& arrivals() { return arrivals_; }

  private:
    friend struct PlainLoop;
    friend struct RuledLoop;

    Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, PreparedSite site,
              const MakeScheduler& make);

    ReplayContext context() const {
        return {jobs_, *site_, site_->policy, site_->processors, schedule_, routing_};
    }
    void set_up();
    void end_next();
    void collect_ends(Time now);
    void collect_arrivals(Time now);
    void pass_until_settled();
    void pass();
    void note_start(const Starts::Start& started);
    void settle_on_nodes();
    void follow_calendar();
    bool try_plain_loop(const Progress& progress);
    bool step_instant();
    bool step_event();
    bool step_period();
    double part_done() const;

    std::shared_ptr<const JobTable> table_;
    PreparedSite site_;
    ReplayJobs jobs_;
    AttemptLengths lengths_;
    LimitChecks limit_checks_;
    std::shared_ptr<const Routing> routing_; // null: the site has only a machine and a policy
    ScheduleSoFar schedule_;
    EventQueue completions_;
    Arrivals arrivals_;
    std::unique_ptr<Scheduler> scheduler_;

    Time now_ = 0;
    Time due_ = kNever; // Scheduler::next_due() after the latest pass
    bool has_calendar_ = false;
    Time next_change_ = kNever; // Scheduler::next_change(): the next change of the calendar
    std::size_t n_ended_ = 0;
    Time next_pass_ = kNever; // time of the next periodic pass
    std::vector<JobId> ended_;
    std::vector<JobId> arrived_;
    Starts starts_;
    ProgressMeter meter_;
};

inline void Simulator::collect_arrivals(Time now) {
    do
        arrived_.push_back(arrivals_.pop());
    while (arrivals_.next() == now);
}

inline void Simulator::note_start(const Starts::Start& started) {
    schedule_.start.set(started.job, now_);
    // Storing the flag even if it is 0 avoids a branch.
    schedule_.backfilled.set(started.job, started.past_a_waiting_job ? 1 : 0);
    completions_.push(now_ + jobs_.run_time[started.job], started.job, now_);
}

} // namespace slotwise
