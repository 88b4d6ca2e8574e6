// A wrapper around a scheduler that records which jobs are waiting, running, held or cancelled.
#pragma once

#include "containers/shared_log.hpp"
#include "planner/dispatch_log.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// The reason why a job may not start. A `returning` job has been released from a hold, and rejoins
// the queue in the next pass.
enum class Bar : std::uint8_t { none, held, returning, cancelled };

// A layer between the event loop and the scheduler. It owns the scheduler, and hides cancelled jobs
// from it. It also hides held jobs, unless the scheduler keeps them itself (Scheduler::knows_held).
// In this layer, a held job still counts as waiting.
class JobTracker final : public Scheduler {
  public:
    JobTracker(const ReplayContext& context, std::unique_ptr<Scheduler> planner);
    JobTracker(const JobTracker& other, const ReplayContext& context);

    // Continues with a new planner from the state of `other`, in which everything up to `now` has
    // been handled. Job j of `other` is job row_of[j] in the table of `context`.
    JobTracker(const JobTracker& other, const ReplayContext& context,
               std::unique_ptr<Scheduler> planner, std::span<const JobId> row_of, Time now);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return planner_->drifts(); }
    Time next_change() const override { return planner_->next_change(); }
    void follow(const Instant& instant, Starts& starts) override;
    std::size_t queued() const override { return planner_->queued(); }
    void describe(Schedule& schedule) const override { planner_->describe(schedule); }
    std::vector<ProcCount> free_in_pools() const override { return planner_->free_in_pools(); }
    const Slots* slots() const override { return planner_->slots(); }
    bool remembers() const override { return planner_->remembers(); }
    const DispatchLog* dispatch_log() const override { return planner_->dispatch_log(); }
    void follow_log(DispatchLog past) override { planner_->follow_log(std::move(past)); }
    QueueId queue_number(JobId job) const override { return planner_->queue_number(job); }
    PoolId pool_number(JobId job) const override { return planner_->pool_number(job); }
    bool can_repeat_pass() const override { return planner_->can_repeat_pass(); }
    bool asks_again() const override { return planner_->asks_again(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<JobTracker>(*this, context);
    }

    std::span<const JobId> waiting() const { return waiting_; } // in trace order
    std::span<const JobId> running() const { return running_; } // in order of their starts
    bool is_waiting(JobId job) const;
    bool is_running(JobId job) const;
    Bar bar(JobId job) const { return bars_.empty() ? Bar::none : bars_[job]; }
    std::size_t n_passes() const { return n_passes_; }

    // Bars a job from starting, or removes its bar. The job must be waiting or must not have
    // arrived yet. If its bar is `returning` afterwards, the caller must make it arrive again.
    void set_bar(JobId job, Bar bar);

    void note_withdrawn(JobId job, Time now, bool has_run) override {
        planner_->note_withdrawn(job, now, has_run);
        due_ = planner_->next_due();
    }

    // Applies `change`, which reorders a waiting job.
    void reorder(JobId job, const std::function<void()>& change) override {
        planner_->reorder(job, change);
    }
    bool reorders() const override { return planner_->reorders(); }

    // Continues with `context`, which orders jobs by manual priority first. Returns false, and
    // changes nothing, if a new scheduler is needed.
    bool put_priorities_first(const ReplayContext& context);
    void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                       std::span<const JobId>) override {
        planner_->change_policy(dispatcher, running_);
    }

    // Removes a running job from the list of running jobs immediately; the scheduler sees its end
    // in the next pass.
    void end(JobId job) {
        std::erase(running_, job);
        ending_.push_back(job);
    }

  private:
    void note_ended(std::span<const JobId> ended);
    void note_stopped(std::span<const Starts::Stop> stops);
    void note_rejected(std::span<const JobId> rejected);
    void admit(std::span<const JobId> arrived);
    void list_admitted();

    std::size_t n_jobs_;
    std::unique_ptr<Scheduler> planner_;
    std::vector<JobId> waiting_;
    std::vector<JobId> running_;
    std::vector<JobId> ending_; // jobs that the scheduler still counts as running
    SharedLog<JobId> ended_;    // in order of their ends
    std::vector<Bar> bars_;     // indexed by job; empty until a bar is first set
    std::size_t n_passes_ = 0;
    std::vector<JobId> admitted_; // jobs that are about to be passed to the scheduler
};

} // namespace slotwise
