// A replay that advances step by step and can be inspected, copied, and changed by its user.
#pragma once

#include "engine/live_replay.hpp"
#include "engine/recipe.hpp"
#include "engine/submissions.hpp"
#include "planner/dispatch_log.hpp"
#include "replay/progress.hpp"
#include "replay/schedule.hpp"
#include "types.hpp"
#include "workload/grown_table.hpp"
#include "workload/job_numbers.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// Moves end between two instants: everything up to recipe().handled has happened, nothing later. A
// change made there takes effect at now(). If that instant has been handled, it gets a further pass
// when the simulation next moves.
//
// Replaying recipe() gives the same state. A submitted job becomes a row of the table, after all
// rows with the same or an earlier submit time. Rows that have arrived thus retain their positions.
// A scheduler without memory is rebuilt from the waiting and running jobs; for one with memory, the
// replay is repeated from the start.
//
// A pass that throws changes nothing. The simulation stays at the instant of the pass, and runs the
// pass again when it next moves. If the scheduler had to be replayed, it stays before that instant.
//
//   Machine with 4 processors, fcfs. Job 0 (4 processors, 10 s) runs from 0. At 3, the user submits
//   job 1 (2 processors) and job 2 (2 processors), holds job 1, and releases it at 12: job 2 starts
//   at 10, when job 0 ends, and job 1 at 12.
class Simulation {
  public:
    // `dispatcher` decides which jobs start; null: the policy does. Throws as Simulator does, but
    // accepts a table without jobs.
    Simulation(std::shared_ptr<const JobTable> table, Site site,
               std::shared_ptr<Dispatcher> dispatcher);

    // Replays a recipe. On a site that is not plain, `past` contains the earlier decisions of an
    // outside dispatcher, which is not called again for them.
    explicit Simulation(Recipe recipe, DispatchLog past = {});

    Simulation(const Simulation& other) = default;

    // Moves to the end, or up to and including `until` >= now().
    void run(const Progress& progress = {});
    void run_until(Time until, const Progress& progress = {});

    // Moves up to and including the next instant that has a pass; false if there is none.
    bool step(const Progress& progress = {});

    Time now() const { return now_; }
    Time next_event() const; // kNever if there is none; now() if a further pass is due
    const Recipe& recipe() const { return recipe_; }
    const LiveReplay& live() const { return live_; }

    // Changes made by the user. An impossible change throws std::invalid_argument, naming the job,
    // and changes nothing. A submitted job becomes a row when the simulation moves, or when
    // take_in() is called.
    void submit(const NewJob& job);
    std::int64_t next_job_id() const { return submissions_.next_job_id(); } // not yet in use
    void take_in();
    bool has_new_jobs() const { return !submissions_.jobs().empty(); }
    void cancel(JobId job);
    void hold(JobId job);
    void release(JobId job);
    void set_priority(JobId job, double priority);
    void set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher = {});

    // Continues with another dispatcher under the same policy. Not part of the recipe.
    void ask(const std::shared_ptr<Dispatcher>& dispatcher);

    // Start of `job` if every job ran for its requested time and no other job arrived; kNotStarted
    // if it never started. Throws as submit() does.
    Time estimate_start(const NewJob& job) const;

    // Start of `job`, a row that is waiting or has not arrived; kNotStarted if it never starts.
    // Jobs that have not ended run for `run_time`, one value per row, cut at the request if the
    // policy kills jobs. The rows of `without` do not arrive.
    Time start_under(JobId job, std::span<const Time> run_time,
                     std::span<const JobId> without) const;

    // The only row with this number; throws std::invalid_argument if no row, or more than one, has
    // it.
    JobId find(std::int64_t job_id);

  private:
    Simulation& operator=(Simulation&&) = default;
    LiveReplay::Moment moment() const { return {now_, recipe_.handled}; }
    void act(const Intervention& intervention);
    void change_order(const Intervention& intervention);
    void begin_move();
    void advance(Time limit, const Progress& progress);
    void handle_before(Time limit, const Progress& progress);
    void return_before_pass(Time handled, const std::string& why);
    void stand_at(Time handled);
    void check_usable() const;
    [[noreturn]] void refuse(JobId job, const std::string& why) const;

    Recipe recipe_;
    LiveReplay live_;
    Submissions submissions_;
    Time now_;            // recipe_.handled once it has moved
    std::string failure_; // why the simulation cannot continue; empty if it can
    std::shared_ptr<const JobNumbers> numbers_; // numbers in the table; null until first needed
};

} // namespace slotwise
