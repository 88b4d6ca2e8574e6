// One scheduler for sites of pools, queues and limits: docs/concepts/queues-and-pools.md.
//
// A pass tries waiting jobs in pools. Each pool has its own plan and its own reservations; each
// line of jobs is what one pool is asked for as the first, second, … choice of queues.
//
// Example, easy: pools A (4 processors, full until 100) and B (4, two free until 100). Queue "a"
// may use A, then B. Its head (3 processors) is tried in A: a reservation at 100; then in B:
// another at 100. A job on 2 processors for 50 s behind it is tried in A, in vain, and starts in B,
// as it ends before 100.
#pragma once

#include "admission/eligibility.hpp"
#include "admission/routing.hpp"
#include "availability/pool_outages.hpp"
#include "availability/pool_plan.hpp"
#include "availability/user_reservations.hpp"
#include "containers/job_set.hpp"
#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/dispatch_log.hpp"
#include "planner/pools/advance_reservations.hpp"
#include "planner/pools/patience.hpp"
#include "planner/pools/pool_dispatch.hpp"
#include "planner/pools/pool_promises.hpp"
#include "planner/pools/pools_layout.hpp"
#include "planner/pools/timers.hpp"
#include "planner/scheduler.hpp"
#include "queue/identical_jobs.hpp"
#include "queue/pool_queue.hpp"
#include "queue/score_heap.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

class PoolsPlanner final : public Scheduler {
  public:
    // Asks `dispatcher` who starts, where there is one.
    PoolsPlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing,
                 std::shared_ptr<Dispatcher> dispatcher = {});
    PoolsPlanner(const PoolsPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    Time next_change() const override;
    void follow(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return drifts_ && !dispatch_ && !gives_up(); }
    std::size_t queued() const override { return eligibility_.n_free(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<PoolsPlanner>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override;
    void hold(JobId job) override;
    void release(JobId job) override;
    void cancel(JobId job) override;
    bool knows_held() const override { return true; }
    const DispatchLog* dispatch_log() const override { return &log_; }
    void follow_log(DispatchLog past) override { past_ = std::move(past); }
    QueueId queue_number(JobId job) const override { return routing_->queue_of[job]; }
    PoolId pool_number(JobId job) const override { return pool_of_[job]; }
    bool can_repeat_pass() const override { return dispatch_ && dispatch_->asking; }
    bool asks_again() const override { return dispatch_ && dispatch_->asks_again; }
    void reorder(JobId job, const std::function<void()>& change) override;
    void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                       std::span<const JobId> running) override;

  private:
    using Cluster = PoolsLayout::Cluster;

    enum class Standing : std::uint8_t { elsewhere, waiting, starving }; // of a job

    // The jobs of one line of the layout, of rows alike the fronts.
    struct Line {
        PoolQueue waiting;         // where the pool has no threshold
        std::vector<JobId> passed; // where it has one: waiting jobs that were above it, ascending
        bool is_stale = false;     // some of them wait no longer
    };
    struct Asked { // of a pool, in the present sweep, or the last
        PoolsLayout::Backfill backfill;
        JobId blocked_by = kNoJob;       // the first job that did not fit
        std::size_t line = kBeforeLines; // as which it was tried

        bool blocked() const { return blocked_by != kNoJob; }
        bool is_closed() const { return blocked() && backfill.closes; }

        // Whether a try in vain changes something: it blocks the pool, or has a reservation.
        bool counts_in_vain() const { return !blocked() || backfill.reservations > 0; }
    };
    struct Deadline { // of the head of a pool, under `relaxed`
        JobId job = kNoJob;
        Time at = kNever;
    };
    enum class Touched : std::uint8_t { not_at_all, by_an_arrival, otherwise };

    static constexpr std::size_t kBeforeLines = SIZE_MAX; // starving jobs precede every line
    struct Passed {
        double by_hand;
        double factor;
        JobId job;

        bool operator<(const Passed& other) const { // comes later
            if (by_hand != other.by_hand) return by_hand < other.by_hand;
            return factor != other.factor ? factor < other.factor : job > other.job;
        }
    };

    const Queue& queue_of(JobId job) const { return layout_->site.queues[routing_->queue_of[job]]; }
    bool is_eligible(JobId job) const {
        const QueueId queue = routing_->queue_of[job];
        const ProcCount processors = context_.jobs.processors[job];
        return lifted_ ? eligibility_.allows_when_lifted(job, queue, processors, now_)
                       : eligibility_.allows(job, queue, processors, now_);
    }
    bool is_open(PoolId pool, JobId job) const;
    double factor(JobId job) const;

    void touch(PoolId pool) {
        touched_[layout_->cluster_of[pool]] = Touched::otherwise;
        is_due_[pool] = 1;
    }
    void note_due(QueueId queue);
    void touch_all();
    void touch_begun();

    void finish(std::span<const JobId> ended);
    void note_over(JobId job, Time end);
    void vacate(JobId job) { vacate(job, planned_end(job)); }
    void vacate(JobId job, Time believed_end);
    void correct_estimates();
    Time planned_end(JobId job) const;
    void plan_until(JobId job, Time planned_end, Time end);
    void enqueue(JobId job);
    bool keeps_waiting() const;
    void enter_lines(JobId job);
    JobId leave_lines(JobId job);
    bool falls_in(JobId job);
    bool follows(JobId job, JobId last) const;
    PoolQueue::Entry entry_of(JobId job) const;
    void lead(JobId job);
    void lead_no_longer(JobId job);
    void watch(JobId job);
    void fire(const Timers::Timer& timer);
    JobId leave_queue(JobId job);
    void tidy();
    Time next_instant();

    // Nothing runs, and what waits is taken to wait for ever.
    bool gives_up() const { return n_running_ == 0 && patience_.is_over(now_); }

    void follow_calendar();
    void make_change(const CalendarChange& change);
    std::vector<ProcCount> busy_in_pools() const;
    void kill_until_fits(PoolId pool);
    ProcCount processors_in(PoolId pool, JobId job) const;
    void stop(JobId job, EndReason reason);

    void plan(std::size_t at, std::span<const JobId> arrived);
    void sweep_until_settled(const Cluster& cluster);
    bool has_freed_others(const Cluster& cluster);
    // Whether the job that blocks the pool does so no longer.
    bool has_lost_head(PoolId pool) const {
        const JobId head = asked_[pool].blocked_by;
        return asked_[pool].blocked() && (!waits(head) || !is_eligible(head));
    }
    bool may_reorder(const Cluster& cluster) const;
    void look_over(const Cluster& cluster);
    void sweep(const Cluster& cluster);
    void join_sweep(PoolId pool);
    void pass_on(JobId started);
    bool is_yet_to_come(PoolId pool, JobId started) const;
    void try_starving(const Cluster& cluster);
    void try_line(const PoolsLayout::Line& asked, const PoolQueue& line);
    void try_in_order(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to);
    void try_by_score(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to, const Order& order);
    bool try_waiting(JobId job, PoolId pool);
    BackfillBounds bounds_to_try(PoolId pool) const;
    bool holds(const BackfillBounds& bounds, JobId job) const {
        const ProcCount processors = context_.jobs.processors[job];
        return processors <= bounds.free &&
               (processors <= bounds.extra || estimates_.waiting(job) <= bounds.until_shadow);
    }
    void score(const PoolQueue& line, PoolQueue::Position from, PoolQueue::Position to,
               const BackfillBounds& bounds, const Order& order);
    std::vector<JobId> jobs_in_order(const PoolQueue& line);
    void try_passed(PoolId pool, const std::vector<JobId>& passed);
    void list_passed(const Pool& pool, const BackfillBounds& bounds, JobId job);
    bool settle_arrival(JobId job);
    bool try_in(JobId job, PoolId pool);
    void reserve(JobId job, PoolId pool, Time length);
    bool may_reserve(JobId job, PoolId pool);
    bool is_spent(PoolId pool) const;
    bool any_eligible() const;
    void start_when_idle(const Cluster& cluster);
    Time length_at_start(JobId job) const;
    void start(JobId job, PoolId pool, bool past_another, Time length);
    void note_started(JobId job, PoolId pool, bool past_another);

    bool has_pool(const Cluster& cluster, PoolId pool) const {
        return &layout_->clusters[layout_->cluster_of[pool]] == &cluster;
    }
    bool has_job(const Cluster& cluster, JobId job) const {
        return has_pool(cluster, queue_of(job).pools.front());
    }
    void keep_promises(const Cluster& cluster);
    void reserve_past_promises(const Cluster& cluster);
    void lay_promises(const Cluster& cluster, int sign);
    void lay(JobId job, const PoolPromise& promise, int sign);
    void withdraw(JobId job);
    void leave_promises(JobId job);
    void promise_anew();
    bool takes_promises(PoolId pool, JobId job) const;
    bool may_hold_promise(JobId job) const;
    bool may_be_promised(JobId job) const;
    void give_up_barred(const Cluster& cluster);
    void promise(JobId job, Time length);
    template <class Wanted>
    const std::vector<JobId>& in_order(const Cluster& cluster, Wanted&& wanted);
    void replace_broken(const Cluster& cluster);
    bool has_broken(const Cluster& cluster) const;
    bool may_gain(JobId job, const PoolPromise& promise) const;
    void compress(const Cluster& cluster);
    void promise_others(const Cluster& cluster);
    void start_due(const Cluster& cluster);

    void start_in_reservations();
    void start_in_reservation(std::uint32_t index);
    bool start_inside(JobId job, std::uint32_t index);

    void ask_outside();
    void choose_outside();
    void list_eligible();
    void start_chosen();
    void take_back(std::span<const PoolId> ran_before, std::size_t n_spans);
    void start_as_told(JobId job, PoolId named);
    bool start_in_some_reservation(JobId job, PoolId named);
    void start_spanning_as_told(JobId job, PoolId named);
    std::string obstacle_in(PoolId pool, JobId job);
    [[noreturn]] void refuse_endless_search(JobId job) const;
    [[noreturn]] void refuse_answer(JobId job, const std::string& why) const;

    void reserve_in_advance(const Cluster& cluster);
    JobId oldest_starving(std::span<const QueueId> spanning) const;
    bool reserve_for_head(QueueId queue);
    bool search_for_head(AdvanceReservation& kept, JobId job, std::vector<PoolId> usable);
    JobId head_of(QueueId queue);
    std::vector<PoolId> usable_pools(QueueId queue) const;
    bool reach(const std::vector<PoolId>& pools, Time time);
    std::uint64_t eased(const std::vector<PoolId>& pools) const;
    bool precedes(JobId job, JobId other) const;
    bool waits(JobId job) const { return standing_[job] != Standing::elsewhere; }
    bool starves(JobId job) const { return standing_[job] == Standing::starving; }
    ProcCount fenced(PoolId pool, JobId job) const;
    void fence(const AdvanceReservation& reservation, int sign);
    void drop(AdvanceReservation& reservation);
    bool start_spanning(AdvanceReservation& reservation);

    ReplayContext context_;
    std::shared_ptr<const Routing> routing_;
    std::shared_ptr<const PoolsLayout> layout_;
    std::shared_ptr<const PoolsLayout> first_layout_; // whose site the calendar reads
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    bool drifts_;
    std::optional<PoolDispatch> dispatch_;
    DispatchLog log_;
    DispatchLog past_; // followed as far as it goes

    // The jobs that wait:
    Eligibility eligibility_;
    std::vector<Line> lines_;               // of the layout
    std::vector<PoolQueue> heads_;          // by queue: the jobs of spanning ones
    std::vector<JobId> waiting_;            // all, ascending; where keeps_waiting()
    IdenticalJobs rows_;                    // of queues whose jobs run in one pool
    std::vector<JobId> starving_;           // ascending; of such queues, of rows the fronts
    std::vector<std::uint32_t> n_starving_; // of these, by queue
    std::vector<JobId> starving_spanning_;  // ascending; of the others
    std::vector<Standing> standing_;        // by job
    std::size_t n_waiting_ = 0;
    PoolPromises promises_;
    std::vector<PoolQueue> of_promises_; // by pool: jobs of the queues that are promised it first
    std::vector<JobId> unpromised_;      // of these the ones without; may hold some that left
    bool has_stale_ = false;             // some of these wait no longer
    Timers timers_;
    Time next_opening_ = kNever; // of a queue's hours

    // The pools, and what runs in them:
    std::vector<PoolPlan> pools_;
    std::vector<PoolId> pool_of_;                              // by job, of its last start
    std::unordered_map<JobId, std::vector<PoolShare>> shares_; // of jobs that run in several pools
    std::vector<AdvanceReservation> in_advance_;               // by queue
    Calendar calendar_;
    PoolOutages outages_;
    UserReservations reservations_;
    JobSet running_; // kept where there is a calendar
    std::size_t n_running_ = 0;
    Patience patience_;
    std::vector<Schedule::Span> spans_;    // of all jobs that ran in several pools
    std::vector<Deadline> deadlines_;      // by pool
    std::vector<std::uint8_t> has_opened_; // by pool: since promises moved, there may be more room

    // By cluster: what has happened in it since it was last planned, and whether what the last
    // sweep left in asked_ and in the plans holds still.
    std::vector<Touched> touched_;
    std::vector<std::uint8_t> is_settled_;

    // By pool: something has happened in it since it was last swept; it is being swept.
    std::vector<std::uint8_t> is_due_;
    std::vector<std::uint8_t> is_swept_;

    // Of the present pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    std::size_t line_ = kBeforeLines; // being tried
    JobId successor_ = kNoJob;        // front in the place of the last that started
    std::vector<JobId> requeued_;
    bool has_dropped_ = false; // an advance reservation
    bool is_sweeping_ = false;
    std::vector<Asked> asked_;                         // by pool
    std::vector<std::pair<PoolId, QueueId>> reserved_; // in this sweep, where each queue has one
    std::vector<JobId> respected_; // in this sweep, where limits are: who holds others back
    std::vector<Passed> scratch_passed_;
    std::vector<BackfillBounds> bounds_; // scratch, by pool
    std::vector<JobId> scratch_jobs_;
    std::vector<JobId> in_order_;         // of jobs that may be promised something
    std::vector<std::uint8_t> is_passed_; // by pool: a job waits on that precedes who starts
    ScoreHeap scored_;
    bool lifted_ = false; // the site's limits of one user or group hold nobody back
};

} // namespace slotwise
