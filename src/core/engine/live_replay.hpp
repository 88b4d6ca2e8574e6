// The running replay of a simulation: the current event loop, and the changes that a user makes to
// it.
//
// Example: job 3 waits and is held. apply() hides it from the scheduler and records that a pass is
// due; settle() requests that pass from the loop, and the next move runs it.
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

// Throws std::invalid_argument with the reason and the number of the job.
[[noreturn]] void refuse_job(const JobTable& table, JobId job, const std::string& why);

class LiveReplay {
  public:
    // The instant between two moves at which changes are made.
    struct Moment {
        Time now;
        Time handled; // kNothingHandled before the first move
    };

    // Starts before the first event of `recipe`. On a site that is not plain, `past` contains the
    // earlier decisions of an outside dispatcher, which is not called again for them.
    LiveReplay(const Recipe& recipe, DispatchLog past);

    // The copy shares the trace, and shares columns in the same way as a copy of Simulator.
    LiveReplay(const LiveReplay& other);
    LiveReplay& operator=(LiveReplay&&) = default;

    // Makes one change. Throws std::invalid_argument, and changes nothing, for an order or a policy
    // that cannot be adopted at this instant.
    void apply(const Intervention& intervention, Moment at);

    // Throws std::invalid_argument for a recipe in which a job arrives twice or out of turn.
    void check_arrival(const Intervention& arrival, Time handled) const;

    // Rebuilds the scheduler from the waiting and running jobs, over `table`, in which job j of the
    // current table is row_of[j]. If it throws, nothing has changed.
    void hand_over(const std::shared_ptr<const JobTable>& table, std::span<const JobId> row_of,
                   Moment at);

    // Continues with another dispatcher under the same policy.
    void ask(const std::shared_ptr<Dispatcher>& dispatcher, Moment at);

    // Prepares the changes made so far to take effect in the next pass.
    void settle(Moment at);

    // True if changes are pending until settle().
    bool has_changed() const { return pass_due_ || is_remade_; }

    // Requests a pass at the current instant, even if no job has changed.
    void note_pass() { pass_due_ = true; }

    // True if a pass that threw can be run again at its instant. The scheduler must be able to
    // repeat it, or must depend only on the waiting and running jobs, so that it can be rebuilt.
    bool can_repeat_pass() const;
    void repeat_pass(Moment at);

    // Every job so far. Jobs that have not started are waiting; running jobs have their future
    // ends.
    Schedule schedule() const;
    ProcCount free() const;
    DispatchLog past() const; // the decisions of an outside dispatcher so far

    const std::shared_ptr<const JobTable>& table() const { return table_; }
    const Site& site() const { return site_; } // with changes of order and policy
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
    std::vector<JobId> late_; // rows that arrive by intervention, ascending
    std::size_t n_late_ = 0;  // number of rows in late_ that have arrived
    bool pass_due_ = false;   // changes require a pass at the current instant
    bool is_remade_ = false;  // settle() must rebuild the scheduler
};

} // namespace slotwise
