// Passes in which an external dispatcher chooses the jobs that start.
//
// The dispatcher sees only eligible jobs: jobs that are not held, whose dependencies are met, and
// that are within opening hours and limits. Limits are checked again as each chosen job starts. The
// plans of the pools contain announced downtimes, which a chosen job may not overlap. A job starts
// inside a reservation of its user if it fits there.
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
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

class PoolDispatch {
  public:
    struct Parts {
        PoolsContext& context;
        PoolSet& pools;
        PoolLines& lines;
        JobTransitions& transitions;
        SpanningJobs& spanning;
    };

    // If `dispatcher` is null, no dispatcher is called.
    PoolDispatch(const Parts& parts, std::shared_ptr<Dispatcher> dispatcher);

    // Copies the state for use with other components. The copy calls its own clone of the
    // dispatcher.
    PoolDispatch(const PoolDispatch& other, const Parts& parts);

    bool asks() const { return dispatcher_ != nullptr; }

    // Returns true during a pass that calls the dispatcher, and also after the dispatcher threw an
    // exception.
    bool is_asking() const { return is_asking_; }

    // Returns true if the dispatcher must be called again at this instant: no job is eligible under
    // the limits, but some would be if the limits were lifted.
    bool asks_again() const { return asks_again_; }

    // Replaces the dispatcher, or removes it if `dispatcher` is null. `running` must list the
    // running jobs in the order in which they started.
    void change(const std::shared_ptr<Dispatcher>& dispatcher, std::span<const JobId> running);

    // Records the jobs that end, are stopped or arrive at an instant.
    void note(const Instant& instant, std::span<const Starts::Stop> stops);

    // Calls the dispatcher, and starts the jobs that it chooses.
    void ask();

    const DispatchLog& log() const { return log_; }
    void follow_log(DispatchLog past) { past_ = std::move(past); }

  private:
    void list_eligible();
    void choose();
    bool follow_past(std::size_t number);
    void start_chosen();
    void take_back(std::span<const PoolId> ran_before, std::size_t n_spans);
    void start(std::size_t i);
    void start(JobId job, PoolId named);
    void start_on(JobId job, std::span<const std::int32_t> nodes);
    bool passes_another(JobId job) const;
    void check_startable(JobId job) const;
    bool start_in_some_reservation(JobId job, PoolId named);
    void start_spanning(JobId job, PoolId named);
    std::string obstacle_in(PoolId pool, JobId job);
    std::string obstacle_on_nodes(JobId job);
    [[noreturn]] void refuse(JobId job, const std::string& why) const;

    PoolsContext* context_;
    PoolSet* pools_;
    PoolLines* lines_;
    JobTransitions* transitions_;
    SpanningJobs* spanning_;
    std::shared_ptr<Dispatcher> dispatcher_;
    DispatchLog log_;
    DispatchLog past_;           // decisions to repeat before the dispatcher is called
    std::vector<JobId> running_; // in the order in which they started
    std::vector<JobId> ended_;   // jobs that ended since the last call
    std::vector<JobId> arrived_;
    bool is_asking_ = false;
    bool asks_again_ = false;

    // State of the current pass:
    std::vector<JobId> waiting_; // eligible jobs, ascending
    std::vector<ProcCount> free_;
    std::vector<ProcCount> free_in_reservations_;
    std::vector<JobId> chosen_;
    std::vector<PoolId> named_; // pools that the dispatcher named for the chosen jobs
    // Nodes that the dispatcher named for the chosen jobs.
    std::vector<std::vector<std::int32_t>> nodes_;
};

} // namespace slotwise
