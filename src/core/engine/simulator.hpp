// The event loop of one replay: clock, events and schedule. A scheduler decides which jobs start.
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
    // Throws std::invalid_argument for an order or a backfill that is not registered, and for a
    // trace in which no job fits the machine.
    Simulator(std::shared_ptr<const JobTable> table, PreparedSite site);

    // Replays `jobs`, a subset of a trace, on a plain site. Only the submit times of `table` are
    // read, and only the starts in the schedule are valid.
    Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, PreparedSite site);

    // Like the first constructor, but with the scheduler that `make` returns; also accepts a trace
    // without jobs, or one in which no job fits.
    Simulator(std::shared_ptr<const JobTable> table, PreparedSite site, const MakeScheduler& make);

    // Continues from the state of `other`, with everything up to `handled` handled, under the plain
    // `site` over `table`, where job j of other's table is row_of[j], ascending. Rows with a submit
    // time up to `handled` do not arrive; running jobs end when they would have. `make` returns a
    // scheduler that has taken over the state.
    Simulator(const Simulator& other, std::shared_ptr<const JobTable> table, PreparedSite site,
              std::span<const JobId> row_of, Time handled, const MakeScheduler& make);

    // The copy shares the trace, and those blocks of the job columns that neither changes.
    Simulator(const Simulator& other);

    // Handles every event, or every event up to the instant at which `until_started` starts.
    void run(const Progress& progress = {}, JobId until_started = kNoJob);

    // Handles every event earlier than `limit`.
    void run_before(Time limit, const Progress& progress = {});

    // Handles the next step: an instant, or under other Policy::passes an event or a pass. Returns
    // false if nothing is left.
    bool step();

    // Time of the next step, or kNever.
    Time next_step() const;

    // Adds a job that is not running to the queue in the pass due at `now`, unless it is rejected.
    void arrive(JobId job, Time now);

    // True if a job has ended since the last pass, so that the scheduler still counts it as
    // running.
    bool has_ended(JobId job) const;

    // Ends a running job at `now`; the scheduler receives the end in the pass that is then due.
    void stop(JobId job, Time now);

    // Gives each job the run time `length`, one value per row. Running jobs run at least until the
    // next second; `running` lists them by start, with or without those that have ended since the
    // last pass.
    void take_lengths(std::span<const Duration> length, std::span<const JobId> running, Time now);

    // Sets the user's priority of a job. If `moves`, the job waits in the scheduler, which moves it
    // at once. Otherwise, a scheduler reads the priority when the job arrives, or when the
    // scheduler is built.
    void set_priority(JobId job, double priority, bool moves);

    // Continues on the plain `site`, which differs in its policy. Calls `adopts` with the
    // scheduler's new context; if that returns false, nothing has changed.
    bool change_plain_policy(const PreparedSite& site,
                             const std::function<bool(const ReplayContext&)>& adopts);

    // Continues under another policy on a site that is not plain. Its estimates and kill_at_limit
    // must be the same, because run times and predictions depend on them. `dispatcher`, if any,
    // decides from then on. If this throws, nothing has changed.
    void change_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher);

    // Requests a pass at `now` or, under periodic passes, at the next multiple of the period.
    void ask_for_pass(Time now);

    // Runs the pass that threw again; the scheduler has already taken in its events.
    void repeat_pass();

    // Start and backfilled flag of every job so far.
    const ScheduleSoFar& schedule() const { return schedule_; }

    // The whole schedule, with the ends and states that follow from the starts. The simulator
    // cannot continue afterwards.
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
    std::shared_ptr<const Routing> routing_; // null: the site is plain
    ScheduleSoFar schedule_;
    EventQueue completions_;
    Arrivals arrivals_;
    std::unique_ptr<Scheduler> scheduler_;

    Time now_ = 0;
    Time due_ = kNever; // Scheduler::next_due() after the last pass
    bool has_calendar_ = false;
    Time next_change_ = kNever; // Scheduler::next_change(): the next change of the calendar
    std::size_t n_ended_ = 0;
    Time next_pass_ = kNever; // the next periodic pass
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
    schedule_.backfilled.set(started.job, started.past_a_waiting_job ? 1 : 0); // without a branch
    completions_.push(now_ + jobs_.run_time[started.job], started.job, now_);
}

} // namespace slotwise
