// EASY backfilling in one pool under limits, opening hours and announced maintenance, or in an
// order by user: the schedule of the general planners, faster.
//
// Example, 10 processors, running_per_user 1: user 1 runs a job on 6 until 100 and has three more
// waiting, as one closed class. The job of user 2 on 8 is head, with a shadow time of 100. A job of
// user 3 on 4 for 90 s passes it. Once the job of user 1 ends, its class opens.
#pragma once

#include "admission/eligibility.hpp"
#include "admission/routing.hpp"
#include "availability/backfill_bounds.hpp"
#include "availability/releases.hpp"
#include "order/user_order.hpp"
#include "planner/pools/patience.hpp"
#include "planner/ruled/front_lines.hpp"
#include "planner/ruled/maintenance_windows.hpp"
#include "planner/ruled/request_classes.hpp"
#include "planner/ruled/user_shares.hpp"
#include "planner/scheduler.hpp"
#include "queue/order_ranks.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

class RuledPlanner final : public Scheduler {
  public:
    // True if this planner gives the schedule of the general one.
    static bool fits(const ReplayContext& context);

    // Requires fits(context).
    explicit RuledPlanner(const ReplayContext& context);
    RuledPlanner(const RuledPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return ranks_.drifts() && !gives_up(); }
    std::size_t queued() const override;
    void take_over(const Underway& underway) override;
    bool remembers() const override { return eligibility_.has_value(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<RuledPlanner>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override;
    QueueId queue_number(JobId job) const override;
    PoolId pool_number(JobId job) const override;
    void cancel(JobId job) override;

  private:
    using Slot = RequestClasses::Slot;
    static constexpr Slot kNoSlot = RequestClasses::kNoSlot;

    QueueId queue_of(JobId job) const {
        return context_.routing ? context_.routing->queue_of[job] : QueueId{0};
    }
    Duration length(JobId job) const { return context_.jobs.requested_time[job]; }
    bool is_eligible(JobId job) const {
        return !eligibility_ ||
               eligibility_->allows(job, queue_of(job), context_.jobs.processors[job], now_);
    }
    bool is_eligible_when_lifted(JobId job) const {
        return eligibility_->allows_when_lifted(job, queue_of(job), context_.jobs.processors[job],
                                                now_);
    }
    bool has_limits() const { return eligibility_ && eligibility_->has_limits(); }
    bool gives_up() const { return n_running_ == 0 && patience_.is_over(now_); }

    // Processors that a job may take now, and the longest that may start before a maintenance.
    ProcCount free() const { return is_away_ ? 0 : free_; }
    Duration window() const;

    bool has_room(ProcCount processors, Duration length) const {
        return processors <= free() && length <= window();
    }

    // The same beside the reservation of the head.
    bool may_pass(ProcCount processors, Duration length) const {
        return has_room(processors, length) &&
               (now_ + static_cast<Time>(length) <= shadow_ || processors <= extra_);
    }

    void end(JobId job);
    void note_calendar();
    void note_hours();
    void refresh_owners_of(JobId job, bool opens);
    void plan(std::span<const JobId> arrived);
    bool settle_arrival(JobId job);
    void enqueue(JobId job);
    bool is_alike(JobId last, JobId job) const;
    std::uint32_t hash(JobId job) const;

    void settle();
    void reserve(Slot head);
    void drop_reservation();
    void pass_the_head();
    BackfillBounds bounds() const;
    void start_when_lifted();

    // True if each class has a score of its own, computed anew in each pass.
    bool scores() const { return ranks_.drifts() && users_ == nullptr; }
    void score(Slot slot) {
        const JobId front = waiting_.front(slot);
        scores_[slot] = lines_.at(slot, front, ranks_.order(), context_.jobs);
    }
    template <class Wanted> void rank(Wanted&& wanted);
    bool precedes_by_score(JobId one, JobId other) const;

    // True if the front of one class is tried before that of the other.
    bool precedes(Slot one, Slot other);
    Slot first_open();
    Slot first_within(const BackfillBounds& bounds);
    void start(Slot slot, bool past_the_head);
    void take_processors(JobId job, bool past_the_head);
    Time next_instant() const;

    ReplayContext context_;
    OrderRanks ranks_;
    const UserOrder* users_; // the order, if it ranks users; otherwise null
    std::optional<UserShares> shares_;
    bool lifts_ = false; // limits of the site are lifted while no eligible job waits
    std::optional<Eligibility> eligibility_; // none: every job is eligible
    std::optional<MaintenanceWindows> windows_;
    std::vector<std::uint8_t> is_queue_open_; // by queue, where some have hours
    RequestClasses waiting_;
    FrontLines lines_;           // under linear scores
    std::vector<double> scores_; // by slot, of the present pass: values of the lines
    Patience patience_;

    ProcCount free_;
    bool is_away_ = false;
    Releases releases_; // of running jobs
    std::size_t n_running_ = 0;
    Time now_ = 0;
    Starts* starts_ = nullptr;

    // Reservation of the head, and true if no job that waits may start beside it.
    JobId head_ = kNoJob;
    Time shadow_ = kNever;
    std::int64_t extra_ = 0;
    bool is_settled_ = false;
};

} // namespace slotwise
