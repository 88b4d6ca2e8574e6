// The running replay of a simulation: the current event loop, and the changes that a user makes to
// it.
//
// Example: the user holds job 3, which is waiting. apply() hides the job from the scheduler and
// records that a scheduling pass is due. settle() requests this pass from the event loop, and the
// next move of the simulation runs it.
#pragma once

#include "engine/intervention.hpp"
#include "engine/recipe.hpp"
#include "engine/simulator.hpp"
#include "planner/dispatch_log.hpp"
#include "planner/job_tracker.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// Throws std::invalid_argument. The message gives the number of the job and the reason `why`.
[[noreturn]] void refuse_job(const JobTable& table, JobId job, const std::string& why);

class LiveReplay {
  public:
    // The instant, between two moves of the simulation, at which changes are made.
    struct Moment {
        Time now;
        Time handled; // events up to this time are handled; kNothingHandled at first
    };

    // At first, no event has been handled, and no intervention of `recipe` has been made. Unless
    // the site consists only of a machine and a policy, `past` contains the decisions that an
    // external dispatcher made earlier; the dispatcher is not asked for them again.
    LiveReplay(const Recipe& recipe, DispatchLog past);

    // The copy shares the trace with `other`, and shares each block of the job columns until one of
    // the two changes it.
    LiveReplay(const LiveReplay& other);
    LiveReplay& operator=(LiveReplay&&) = default;

    // Makes one change. If an order or a policy cannot be adopted at this instant, throws
    // std::invalid_argument and changes nothing.
    void apply(const Intervention& intervention, Moment at);

    // Throws std::invalid_argument if the recipe is damaged: the job of `arrival` has already
    // arrived, is submitted after `handled`, or is not the next job in late_.
    void check_arrival(const Intervention& arrival, Time handled) const;

    // Rebuilds the scheduler for `table` from the waiting and running jobs. Job j of the current
    // table is row row_of[j] of `table`. If this throws an exception, nothing has changed.
    void hand_over(const std::shared_ptr<const JobTable>& table, std::span<const JobId> row_of,
                   Moment at);

    // Continues with another dispatcher under the same policy.
    void ask(const std::shared_ptr<Dispatcher>& dispatcher, Moment at);

    // Makes sure that the changes made so far take effect in the next scheduling pass.
    void settle(Moment at);

    // Returns true if changes have been made since the last call to settle().
    bool has_changed() const { return pass_due_ || is_remade_; }

    // Requests a scheduling pass at the current instant, even if no job has changed.
    void note_pass() { pass_due_ = true; }

    // Returns true if a pass that threw an exception can be run again at the same instant. Either
    // the scheduler must be able to repeat the pass, or it must be possible to rebuild the
    // scheduler from the waiting and running jobs alone.
    bool can_repeat_pass() const;
    void repeat_pass(Moment at);

    // Returns the schedule of all jobs so far. Jobs that have not started are in the state
    // `waiting`, unless they were rejected or cancelled. Jobs that are running have their future
    // end times.
    Schedule schedule() const;
    ProcCount free() const;
    DispatchLog past() const; // the decisions of an external dispatcher so far

    const std::shared_ptr<const JobTable>& table() const { return table_; }
    const Site& site() const { return site_; } // the site after all changes of order and policy
    Simulator& loop() const { return *loop_; }
    JobTracker& tracker() const { return static_cast<JobTracker&>(loop_->scheduler()); }

  private:
    void arrive(JobId job, Time handled);
    void cancel(JobId job, Time now);
    void release(JobId job, Time handled);
    void set_priority(JobId job, double priority);
    void change_policy(const Intervention& intervention, Moment at);
    void put_priorities_first(Moment at);
    void remake(const Site& site, const std::shared_ptr<Dispatcher>& dispatcher, Moment at);
    void remake_over(const std::shared_ptr<const JobTable>& table, const PreparedSite& site,
                     const std::shared_ptr<Dispatcher>& dispatcher, std::span<const JobId> row_of,
                     Moment at);

    std::shared_ptr<const JobTable> table_;
    Site site_;
    std::shared_ptr<Dispatcher> dispatcher_; // null: the policy decides
    std::unique_ptr<Simulator> loop_;
    std::vector<JobId> late_; // rows of jobs whose arrival is an intervention, ascending
    std::size_t n_late_ = 0;  // number of rows in late_ that have arrived
    bool pass_due_ = false;   // true if changes require a pass at the current instant
    bool is_remade_ = false;  // true if settle() must rebuild the scheduler
};

} // namespace slotwise
