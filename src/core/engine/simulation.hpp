// A replay that advances step by step, and that its user can inspect, copy and change.
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

// A move always ends between two instants: all events up to and including recipe().handled have
// happened, but no later event has. A change made between two moves takes effect at now(). If
// the events of that instant have already been handled, another scheduling pass is run at that
// instant when the simulation next moves.
//
// Replaying recipe() leads to the same state. A submitted job becomes a row of the table, after all
// rows with the same or an earlier submit time. Jobs that have already arrived therefore keep their
// rows. After a change, a scheduler is rebuilt from the waiting and running jobs if its state
// depends only on these; otherwise, the replay is repeated from the start.
//
// A pass that throws an exception changes nothing. The simulation stays at the instant of the pass,
// and runs the pass again when it next moves. If the pass cannot be run again without repeating the
// replay from the start, the simulation instead stays just before that instant.
//
// Example: a machine has 4 processors, and the order is fcfs. Job 0 (4 processors, 10 s) starts at
// 0. At 3, the user submits job 1 (2 processors) and job 2 (2 processors), and holds job 1. Job 2
// starts at 10, when job 0 ends. The user releases job 1 at 12, and it starts.
class Simulation {
  public:
    // `dispatcher` decides which jobs start; if it is null, the policy decides. Throws the same
    // exceptions as Simulator, but accepts a table without jobs.
    Simulation(std::shared_ptr<const JobTable> table, Site site,
               std::shared_ptr<Dispatcher> dispatcher);

    // Replays a recipe. Unless the site consists only of a machine and a policy, `past` contains
    // the decisions that an external dispatcher made earlier; the dispatcher is not asked for them
    // again.
    explicit Simulation(Recipe recipe, DispatchLog past = {});

    Simulation(const Simulation& other) = default;

    // Moves to the end of the replay, or up to and including the time `until`, which must be at
    // least now().
    void run(const Progress& progress = {});
    void run_until(Time until, const Progress& progress = {});

    // Advances through the next instant at which a scheduling pass runs. Returns false if there is
    // no such instant.
    bool step(const Progress& progress = {});

    Time now() const { return now_; }
    // Returns the time of the next event, kNever if none is left, or now() if another pass is due.
    Time next_event() const;
    const Recipe& recipe() const { return recipe_; }
    const LiveReplay& live() const { return live_; }

    // The following functions make changes on behalf of the user. If a change is impossible, they
    // throw std::invalid_argument and change nothing. If the change concerns a job, the message
    // gives its number. A submitted job becomes a row when the simulation moves, or when take_in()
    // is called.
    void submit(const NewJob& job);
    std::int64_t next_job_id() const { return submissions_.next_job_id(); } // an unused job number
    void take_in();
    bool has_new_jobs() const { return !submissions_.jobs().empty(); }
    void cancel(JobId job);
    void hold(JobId job);
    void release(JobId job);
    void set_priority(JobId job, double priority);
    void set_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher = {});

    // Continues with another dispatcher under the same policy. The recipe does not record this
    // change.
    void ask(const std::shared_ptr<Dispatcher>& dispatcher);

    // Returns the time at which `job` would start if no other job arrived and every job ran for its
    // requested time or, if estimates are exact, for its run time. Returns kNotStarted if `job`
    // would never start. Throws the same exceptions as submit().
    Time estimate_start(const NewJob& job) const;

    // Returns the time at which `job` would start if the jobs that have not ended ran for the times
    // in `run_time`. Returns kNotStarted if it would never start. `job` must be waiting or have yet
    // to arrive. `run_time` has one value per row; if the policy kills jobs at their limits, each
    // value is capped at the requested time. Jobs whose rows are in `without` do not arrive.
    Time start_under(JobId job, std::span<const Time> run_time,
                     std::span<const JobId> without) const;

    // Returns the row of the job with this number. Throws std::invalid_argument if no row, or more
    // than one row, has this number.
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
    Time now_;            // current time; equals recipe_.handled after the first move
    std::string failure_; // why the simulation cannot continue; empty if it can
    std::shared_ptr<const JobNumbers> numbers_; // job numbers in the table; null until first needed
};

} // namespace slotwise
