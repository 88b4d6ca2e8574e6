// A replay to be stepped through and taken part in: moved on bit by bit, looked at, copied, and
// changed by hand as it goes.
#pragma once

#include "engine/intervention.hpp"
#include "engine/simulator.hpp"
#include "planner/dispatch_log.hpp"
#include "planner/tracked_scheduler.hpp"
#include "types.hpp"
#include "workload/grown_table.hpp"
#include "workload/job_table.hpp"

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// Moves end between two instants: everything up to handled() has happened, nothing later. What is
// changed by hand there takes effect at now(), in a further pass of that instant where it has been
// handled; the pass runs when the simulation next moves.
//
// The recipe of its state is table(), the site it began with, interventions() and handled(): a
// replay of it gives the same state. A job submitted by hand becomes a row of the table, behind all
// that have its submit or an earlier one: rows that have arrived keep their places. A scheduler
// that remembers nothing is made anew there from who waits and runs; one that remembers is brought
// there by a replay from the start.
//
// A pass that throws has changed nothing: the simulation stands at its instant, or at the end of
// what came before where the scheduler had to be brought there by a replay, and runs the pass again
// as it moves on.
//
//   Machine of 4, fcfs. Job 0 (4 processors, 10 s) runs from 0. At 3, job 1 (2 processors) and job
//   2 (2 processors) are submitted by hand, job 1 is held, and at 12 released: 2 starts at 10, when
//   0 ends, and 1 at 12.
class Simulation {
  public:
    // `dispatcher` decides who starts; null: the policy does. Throws what the simulator throws, but
    // takes a table without jobs.
    Simulation(std::shared_ptr<const JobTable> table, Site site,
               std::shared_ptr<Dispatcher> dispatcher);

    // The replay of a recipe. On a site that is not plain `past` is what an outside dispatcher
    // answered, who is not asked again.
    Simulation(std::shared_ptr<const JobTable> table, Site site,
               std::shared_ptr<Dispatcher> dispatcher, std::vector<Intervention> interventions,
               Time handled, DispatchLog past = {});

    Simulation(const Simulation& other);
    Simulation& operator=(const Simulation&) = delete;

    // To the end, or up to and including `until` >= now().
    void run(const Progress& progress = {});
    void run_until(Time until, const Progress& progress = {});

    // Up to and including the next instant that has a pass; false where there is none.
    bool step(const Progress& progress = {});

    Time now() const { return now_; }
    Time handled() const { return handled_; }
    Time next_event() const; // kNever: none; now() where a further pass is due
    const std::shared_ptr<const JobTable>& table() const { return table_; }
    const Site& first_site() const { return first_site_; }
    const Site& site() const { return site_; }
    const std::vector<Intervention>& interventions() const { return interventions_; }
    const TrackedScheduler& roster() const { return *roster_; }
    ProcCount free() const;
    std::vector<ProcCount> free_in_pools() const { return roster_->free_in_pools(); }
    const Slots* slots() const { return roster_->slots(); } // of a torus, else null
    const DispatchLog* dispatch_log() const { return roster_->dispatch_log(); }
    const std::vector<Time>& starts() const { return loop_->schedule().start; }

    // Every job so far; those yet to start are waiting, those that run have the ends to come.
    Schedule schedule() const;

    // What a user does. Throws std::invalid_argument where it cannot be done, naming the job; then
    // nothing has changed. A job submitted becomes a row when the simulation moves, or when
    // take_in() is called.
    void submit(const NewJob& job);
    std::int64_t next_job_id() const { return next_job_id_; } // above all others
    void take_in();
    void cancel(JobId job);
    void hold(JobId job);
    void release(JobId job);
    void set_priority(JobId job, double priority);
    void set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher = {});

    // Goes on under another dispatcher of the same policy; no change by hand.
    void ask(const std::shared_ptr<Dispatcher>& dispatcher);

    // When `job` would start if every job took what it requests and nobody else came; kNotStarted:
    // never. Throws as submit does.
    Time estimate_start(const NewJob& job) const;

    // When `job`, a row that waits or is yet to come, would start if every job that has not ended
    // took `run_time`, a value a row (at most what it requests, where the policy cuts it there),
    // and the rows of `without` did not come; kNotStarted: never.
    Time start_under(JobId job, std::span<const Time> run_time,
                     std::span<const JobId> without) const;

    // The one row with that number; throws std::invalid_argument where there is none or several.
    JobId find(std::int64_t job_id) const;

    static constexpr Time kNothing = std::numeric_limits<Time>::min(); // is handled yet

  private:
    Simulation& operator=(Simulation&&) = default;
    static std::unique_ptr<Scheduler> planner_for(const ReplayContext& context,
                                                  const std::shared_ptr<Dispatcher>& dispatcher);
    static void put_by_hand_first(Site& site);
    void restart(DispatchLog past = {});
    void replay(Time handled, DispatchLog past);
    DispatchLog past() const;
    void act(const Intervention& intervention);
    void change_order(const Intervention& intervention);
    void apply(const Intervention& intervention);
    void hand_over(const std::shared_ptr<const JobTable>& table, const Site& site,
                   const std::shared_ptr<Dispatcher>& dispatcher, std::span<const JobId> row_of);
    void hand_over(const Site& site, const std::shared_ptr<Dispatcher>& dispatcher);
    void settle();
    void begin_move();
    void advance(Time limit, const Progress& progress);
    void handle_before(Time limit, const Progress& progress);
    void return_before_pass(Time handled, const std::string& why);
    bool can_be_made_anew_in_a_pass() const;
    void stand_at(Time handled);
    void check_usable() const;
    void check_arrival(const Intervention& done) const;
    [[noreturn]] void refuse(JobId job, const std::string& why) const;

    std::shared_ptr<const JobTable> table_;
    Site first_site_;
    Site site_; // as it stands
    std::shared_ptr<Dispatcher> first_dispatcher_;
    std::shared_ptr<Dispatcher> dispatcher_; // null: the policy decides
    std::vector<Intervention> interventions_;
    std::unique_ptr<Simulator> loop_;
    TrackedScheduler* roster_ = nullptr; // the scheduler of loop_
    Time now_ = 0;
    Time handled_ = kNothing;       // now_ once it has moved
    std::vector<NewJob> submitted_; // not yet rows
    std::vector<JobId> late_;       // rows, ascending, that arrive by intervention
    std::size_t n_late_ = 0;        // … of which so many have
    std::int64_t next_job_id_ = 1;
    bool pass_due_ = false;   // at now_, for what was changed by hand
    bool remake_due_ = false; // of the scheduler
    std::string failure_;     // why it cannot go on; empty: it can
};

} // namespace slotwise
