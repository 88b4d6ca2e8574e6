// The event loop of one replay: clock, events and schedule. What starts is the scheduler's
// business.
#pragma once

#include "admission/routing.hpp"
#include "engine/event_queue.hpp"
#include "planner/scheduler.hpp"
#include "replay/attempts.hpp"
#include "replay/placement_run_times.hpp"
#include "replay/progress.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <chrono>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

template <class Rules> class EasyPlanner;

class Simulator {
  public:
    // Throws std::invalid_argument for an unknown name or a switch out of its range, a machine
    // without processors, or a trace without a job that fits.
    Simulator(std::shared_ptr<const JobTable> table, const Site& site);

    // The replay of `jobs`, some of a trace, on a plain site. `table` need only have their submits:
    // starts follow from them, and the rest of the schedule is not to be asked.
    Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, const Site& site);

    // As the first, with another scheduler than the one named, and also where no job fits or there
    // is none.
    Simulator(std::shared_ptr<const JobTable> table, const Site& site, const MakeScheduler& make);

    // Goes on where `other` stands, everything up to `handled` being handled, under `site` over
    // `table`, where job j of other's table is row_of[j], ascending. No arrival is taken from rows
    // with a submit up to `handled`; running jobs end when they would have. `make` gives a
    // scheduler that has taken over.
    Simulator(const Simulator& other, std::shared_ptr<const JobTable> table, Site site,
              std::span<const JobId> row_of, Time handled, const MakeScheduler& make);

    // A copy goes on by itself: it shares only the trace.
    Simulator(const Simulator& other);
    Simulator& operator=(const Simulator&) = delete;

    // Handles every event, or all those up to the instant at which `until_started` starts.
    void run(const Progress& progress = {}, JobId until_started = kNoJob);

    // Handles every event earlier than `limit`.
    void run_before(Time limit, const Progress& progress = {});

    // Handles what comes next: an instant, or under other Policy::passes an event or a pass. False
    // where nothing is left.
    bool step();

    // When the next step happens, or kNever.
    Time next_step() const;

    // Takes no arrival from job `limit` on.
    void close_arrivals(JobId limit) {
        arrival_limit_ = limit;
        look_at_next_arrival();
    }

    // A job that is not running joins the queue, unless it is rejected, in the pass due at `now`.
    void arrive(JobId job, Time now);

    // Whether a job has ended since the last pass, of which the scheduler knows nothing yet.
    bool has_ended(JobId job) const;

    // A running job ends at `now`, by hand; the scheduler hears of it in the pass then due.
    void stop(JobId job, Time now);

    // From `now` on every job takes what is requested, those that run (in the order they started,
    // with or without those that have ended since the last pass) at least until the next second;
    // under exact estimates, what it really takes.
    void take_requests_for_lengths(std::span<const JobId> running, Time now);

    // From `now` on every job takes `length`, a value a row; those that run (in the order they
    // started) at least until the next second.
    void take_lengths(std::span<const Duration> length, std::span<const JobId> running, Time now);

    // For schedulers made from here on.
    void set_priority_by_hand(JobId job, double priority);

    // As it is for jobs that wait in a site that is not plain.
    void reorder_by_hand(JobId job, double priority);

    // Goes on under another policy of a site that is not plain: one of the same estimates and
    // kill_at_limit, which say how jobs run and what has been believed of them. `dispatcher`,
    // where there is one, is asked from there on. Nothing has changed where it throws.
    void change_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher);

    // Has a pass at `now`, or under periodic passes at the next multiple.
    void ask_for_pass(Time now);

    // The scheduler has taken in the events of the pass it threw in: the pass is run again.
    void repeat_pass();

    // Start and backfilled of every job so far.
    const Schedule& schedule() const { return schedule_; }

    // The whole schedule, with the ends and states that follow from the starts; the simulator is
    // done with it.
    Schedule take_schedule();
    Time now() const { return now_; }
    const Site& site() const { return site_; }
    const ReplayJobs& jobs() const { return jobs_; }
    Scheduler& scheduler() { return *scheduler_; }
    const Scheduler& scheduler() const { return *scheduler_; }

    // Jobs from here on have not arrived.
    JobId arrivals() const { return arrivals_; }

  private:
    Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, const Site& site,
              const MakeScheduler& make);

    ReplayContext context() const {
        return {jobs_, site_, site_.policy, site_.processors, schedule_, routing_};
    }
    Time first_tick(Time t) const;
    void set_up();
    void prepare_orders();
    void prepare_orders_underway();
    void look_at_next_arrival();
    void end_next();
    void collect_ends(Time now);
    void collect_arrivals(Time now);
    void pass_until_settled();
    void pass();
    void note_start(const Starts::Start& started);
    void settle_on_nodes();
    void follow_calendar();
    void stop_jobs();
    Time uncut_length_of_attempt(JobId job) const;
    Duration length_of_attempt(JobId job) const;
    bool is_plain_replay() const;
    bool try_plain_loop(const Progress& progress);
    template <class Rules>
    void run_plain_loop(EasyPlanner<Rules>& planner, const Progress& progress);
    bool step_instant();
    bool step_event();
    bool step_period();
    void report(const Progress& progress);

    std::shared_ptr<const JobTable> table_;
    Site site_;
    ReplayJobs jobs_;
    AttemptLog attempts_;
    std::shared_ptr<const Routing> routing_;                       // of a site that is not plain
    std::shared_ptr<const PlacementRunTimes> placement_run_times_; // null: nodes change no run time
    Schedule schedule_;
    EventQueue completions_;
    std::unique_ptr<Scheduler> scheduler_;

    Time now_ = 0;
    JobId arrivals_ = 0; // jobs of the trace that have arrived, or were rejected
    Time next_arrival_ = kNever;
    Time due_ = kNever; // what the scheduler said after its last pass
    JobId arrival_limit_ = 0;
    bool has_calendar_ = false;
    Time next_change_ = kNever; // of the calendar, as the scheduler said
    std::size_t n_ended_ = 0;
    Time next_pass_ = kNever; // of periodic passes
    std::vector<JobId> ended_;
    std::vector<JobId> arrived_;
    Starts starts_;
    std::chrono::steady_clock::time_point reported_{};
    std::chrono::steady_clock::time_point looked_{};
    unsigned stride_ = 1; // steps until the clock is looked at again
};

// Passes over the jobs that are rejected.
inline void Simulator::look_at_next_arrival() {
    while (arrivals_ < arrival_limit_ && (jobs_.processors[arrivals_] > site_.processors ||
                                          (routing_ != nullptr && routing_->rejects(arrivals_))))
        ++arrivals_;
    next_arrival_ = arrivals_ < arrival_limit_ ? jobs_.submit(arrivals_) : kNever;
}

inline void Simulator::collect_arrivals(Time now) {
    do {
        arrived_.push_back(arrivals_++);
        look_at_next_arrival();
    } while (next_arrival_ == now);
}

inline void Simulator::note_start(const Starts::Start& started) {
    schedule_.start[started.job] = now_;
    schedule_.backfilled[started.job] = started.past_a_waiting_job ? 1 : 0;
    completions_.push(now_ + jobs_.run_time[started.job], started.job, now_);
}

} // namespace slotwise
