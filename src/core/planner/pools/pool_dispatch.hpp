// Passes in which somebody outside says who starts.
//
// The queue shown is of those that may start: not held, ready, within hours and limits. Limits are
// asked again as each job of an answer starts. Plans of the pools hold what the calendar announces,
// which an answer may not run into. A job starts inside a reservation of its user where it fits.
#pragma once

#include "planner/dispatch_log.hpp"
#include "planner/dispatcher.hpp"
#include "planner/pools/job_transitions.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/spanning_jobs.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

class PoolDispatch {
  public:
    struct Parts { // that this one works with
        PoolsContext& context;
        PoolSet& pools;
        PoolLines& lines;
        JobTransitions& transitions;
        SpanningJobs& spanning;
    };

    // Without a dispatcher nobody is asked.
    PoolDispatch(const Parts& parts, std::shared_ptr<Dispatcher> dispatcher);

    // A copy asks a dispatcher of its own.
    PoolDispatch(const PoolDispatch& other, const Parts& parts);

    bool asks() const { return dispatcher_ != nullptr; }

    // True in a pass that asks, also after the dispatcher threw.
    bool is_asking() const { return is_asking_; }

    // True where a further pass of the instant shows those whom lifted limits let start.
    bool asks_again() const { return asks_again_; }

    // Another dispatcher is asked from now on, or none; `running` is as they started.
    void change(const std::shared_ptr<Dispatcher>& dispatcher, std::span<const JobId> running);

    // Takes in what an instant has brought.
    void note(const Instant& instant, std::span<const Starts::Stop> stops);

    // Starts the jobs of the answer.
    void ask();

    const DispatchLog& log() const { return log_; }
    void follow_log(DispatchLog past) { past_ = std::move(past); }

  private:
    void list_eligible();
    void choose();
    bool follow_past(std::size_t number);
    void start_chosen();
    void take_back(std::span<const PoolId> ran_before, std::size_t n_spans);
    void start(JobId job, PoolId named);
    bool start_in_some_reservation(JobId job, PoolId named);
    void start_spanning(JobId job, PoolId named);
    std::string obstacle_in(PoolId pool, JobId job);
    [[noreturn]] void refuse(JobId job, const std::string& why) const;

    PoolsContext* context_;
    PoolSet* pools_;
    PoolLines* lines_;
    JobTransitions* transitions_;
    SpanningJobs* spanning_;
    std::shared_ptr<Dispatcher> dispatcher_;
    DispatchLog log_;
    DispatchLog past_;           // followed as far as it goes
    std::vector<JobId> running_; // as they started
    std::vector<JobId> ended_;   // since it was asked last
    std::vector<JobId> arrived_;
    bool is_asking_ = false;
    bool asks_again_ = false;

    // Of the present pass:
    std::vector<JobId> waiting_; // that may start, ascending
    std::vector<ProcCount> free_;
    std::vector<ProcCount> free_in_reservations_;
    std::vector<JobId> chosen_;
    std::vector<PoolId> named_; // pools for them
};

} // namespace slotwise
