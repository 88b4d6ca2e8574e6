// A planner for EASY backfilling in one pool that has limits, opening hours or maintenance windows,
// or an order that ranks users. It produces the same schedule as the general planners, but faster.
//
// Example with 10 processors and running_per_user 1: user 1 runs a job on 6 processors until 100,
// and has three more jobs waiting, which form one closed class. A job of user 2 on 8 processors is
// the head, and its shadow time is 100. A job of user 3 on 4 processors for 90 s starts before the
// head. When the job of user 1 ends, the class of user 1 is opened.
#pragma once

#include "planner/pools/patience.hpp"
#include "planner/ruled/class_gates.hpp"
#include "planner/ruled/ranked_classes.hpp"
#include "planner/ruled/reserved_machine.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class RuledPlanner final : public Scheduler {
  public:
    // Returns true if this planner produces the same schedule as the general planners.
    static bool fits(const ReplayContext& context);

    // Requires fits(context).
    explicit RuledPlanner(const ReplayContext& context);
    RuledPlanner(const RuledPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return waiting_.drifts() && !gives_up(); }
    std::size_t queued() const override;
    void take_over(const Underway& underway) override;
    bool remembers() const override { return gates_.any(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<RuledPlanner>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override;
    QueueId queue_number(JobId job) const override { return gates_.queue_number(job); }
    PoolId pool_number(JobId job) const override;
    void cancel(JobId job) override;

    // The steps of a pass. The event loop in engine/ruled_loop.cpp calls them one after another.
    void begin(Time now, Starts& starts) {
        now_ = now;
        starts_ = &starts;
        was_running_ = machine_.n_running() > 0;
        machine_.advance(now);
    }
    void end(JobId job);                       // records the end of a job
    void follow(bool any_arrived);             // applies calendar changes and opening hours
    void plan(std::span<const JobId> arrived); // starts the jobs that may start
    Time finish() {
        return due_ = next_instant();
    } // returns the time at which the next pass is due

  private:
    using Slot = RankedClasses::Slot;
    static constexpr Slot kNoSlot = RankedClasses::kNoSlot;

    ProcCount processors(JobId job) const { return context_.jobs.processors[job]; }
    Duration length(JobId job) const { return context_.jobs.requested_time[job]; }
    bool is_eligible(JobId job) const { return gates_.allows(job); }
    bool gives_up() const { return machine_.n_running() == 0 && patience_.is_over(now_); }

    bool settle_arrival(JobId job);
    void enqueue(JobId job);
    void settle();
    bool start_from_the_front();
    void pass_the_head();
    void start_when_lifted();
    void start(JobId job, bool past_the_head);
    Time next_instant() const;

    ReplayContext context_;
    ClassGates gates_;
    RankedClasses waiting_;
    ReservedMachine machine_;
    Patience patience_;
    Time now_ = 0;
    Starts* starts_ = nullptr;
    bool was_running_ = false; // true if any job was running when the instant began
    bool is_settled_ = false;  // true if there is a head, and no waiting job may start before it
};

} // namespace slotwise
