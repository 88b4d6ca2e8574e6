// A wrapper that records which jobs wait, run, are held or are cancelled.
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

// Reason why a job is hidden from the scheduler. A `returning` job is no longer held, and
// rejoins the queue in the next pass.
enum class Bar : std::uint8_t { none, held, returning, cancelled };

// A layer between the loop and the scheduler it owns, which hides held and cancelled jobs from that
// scheduler. A held job still counts as waiting here.
class JobTracker final : public Scheduler {
  public:
    JobTracker(const ReplayContext& context, std::unique_ptr<Scheduler> planner);
    JobTracker(const JobTracker& other, const ReplayContext& context);

    // Continues from the state of `other`, with everything up to `now` handled, and with a new
    // planner. Job j of `other` is row_of[j] in the table of `context`.
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
    std::span<const JobId> running() const { return running_; } // in order of start
    bool is_waiting(JobId job) const;
    bool is_running(JobId job) const;
    Bar bar(JobId job) const { return bars_.empty() ? Bar::none : bars_[job]; }
    std::size_t n_passes() const { return n_passes_; }

    // Hides a waiting job, or one that has not arrived yet, from the scheduler. The caller must
    // make a `returning` job arrive again.
    void set_bar(JobId job, Bar bar);

    void note_withdrawn(JobId job, Time now, bool has_run) override {
        planner_->note_withdrawn(job, now, has_run);
        due_ = planner_->next_due();
    }

    // Reorders a waiting job by `change`, or adopts another policy.
    void reorder(JobId job, const std::function<void()>& change) override {
        planner_->reorder(job, change);
    }
    bool reorders() const override { return planner_->reorders(); }

    // Continues over `context`, where manual priorities come first. False, with nothing changed, if
    // that needs a new scheduler.
    bool put_priorities_first(const ReplayContext& context);
    void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                       std::span<const JobId>) override {
        planner_->change_policy(dispatcher, running_);
    }

    // Ends a running job in the next pass, and no longer lists it as running.
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
    std::vector<JobId> ending_; // still running in the scheduler's view
    SharedLog<JobId> ended_;    // in order of end
    std::vector<Bar> bars_;     // one per job; empty: no job is barred
    std::size_t n_passes_ = 0;
    std::vector<JobId> admitted_; // arrivals that the scheduler sees in the current pass
};

} // namespace slotwise
