// Scheduling in order up to the first job that does not fit, the head, and what may pass it:
// `none`, `first-fit`, `easy` and `relaxed` are this one planner under different rules.
//
// Example, 10 processors: A runs on 6 until 100 by its estimate. B (8) is head: its shadow time is
// 100, where it leaves 2 processors extra. C (4 for 90 s) starts at 10, as it ends by the shadow. D
// (2 for 500 s) arrives too late for that but needs no more than the extra: had C left it room, it
// would start. E (3 for 500 s) waits behind B.
#pragma once

#include "availability/releases.hpp"
#include "containers/rank_set.hpp"
#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "order/order.hpp"
#include "planner/easy/easy_rules.hpp"
#include "planner/scheduler.hpp"
#include "queue/job_class_grid.hpp"
#include "queue/job_class_queue.hpp"
#include "queue/linear_score_queue.hpp"
#include "queue/short_queue.hpp"
#include "queue/size_index.hpp"
#include "types.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

// `Rules` is EasyRules or EasyInTraceOrder.
template <class Rules> class EasyPlanner final : public Scheduler {
  public:
    EasyPlanner(const ReplayContext& context, const EasyRules& rules, std::unique_ptr<Order> order,
                std::unique_ptr<Order> behind);
    EasyPlanner(const EasyPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return !rules_.plain || !rules_.is_ranked; }
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return rules_.fixed_deadline || estimates_.learns(); }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<EasyPlanner>(*this, context);
    }

    // False if estimates drift: they need every end of an instant at once.
    bool runs_by_parts() const { return !rules_.estimates_drift; }

    // The parts of a pass, for the plain loop.
    void begin(Time now, Starts& starts) {
        now_ = now;
        starts_ = &starts;
    }
    void end(JobId job);                                       // it has ended
    void plan(bool any_ended, std::span<const JobId> arrived); // starts what may start

  private:
    struct Candidate { // the next of its size to try
        JobId rank;    // in the backfill order; a lower bound where the position is not known
        SizeIndex::Size size;
        SizeIndex::Position from;     // 0, or where the search goes on
        SizeIndex::Position position; // kNoPosition: to be found
    };
    struct Scored {
        double score;
        JobId job;
    };
    struct Sizes { // in which a waiting job may start, of any length below spare_end
        SizeIndex::Size spare_from;
        SizeIndex::Size spare_end;
        SizeIndex::Size from;
        SizeIndex::Size end;
    };

    JobId rank_of(JobId job) const {
        return rules_.in_trace_order || rank_.empty() ? job : rank_[job];
    }
    JobId backfill_rank_of(JobId job) const {
        return rules_.in_trace_order || backfill_rank_.empty() ? job : backfill_rank_[job];
    }
    JobId job_at_rank(JobId rank) const {
        return rules_.in_trace_order || by_rank_.empty() ? rank : by_rank_[rank];
    }
    Duration length_of(JobId job) const { // of one that waits
        return rules_.takes_requests ? context_.jobs.requested_time[job] : estimates_.waiting(job);
    }
    Time end_of(JobId job) const { // of one that runs
        return rules_.takes_requests
                   ? context_.schedule.start[job] + context_.jobs.requested_time[job]
                   : ends_.of(job, estimates_);
    }

    JobId first_waiting() {
        return rules_.moves ? moving_->first(now_) : job_at_rank(queue_.first());
    }
    bool head_is_first() { return !rules_.moves || moving_->first(now_) == head_; }
    bool stays_behind_head(JobId job) {
        if (!rules_.moves) return rank_of(job) > rank_of(head_);
        return head_is_first() && !moving_->would_be_first(job, now_);
    }

    void update_estimates(std::span<const JobId> ended);
    bool correct_estimates();
    void enqueue(JobId job);
    void leave(JobId job);
    void put_behind_head(JobId job);
    void take_from_behind_head(JobId job);
    template <class Rows> bool put_alike(Rows& rows, JobId job);
    bool put_in_rows(JobId job);
    bool list_alike();
    bool grid_alike();
    void lengthen();
    void index();
    void empty_form();
    void shorten();
    void start(JobId job, bool past_the_head);
    void start_waiting(JobId job, bool past_the_head);

    void start_from_the_front();
    void start_from_the_front_by_score();
    bool start_head(JobId job);
    void try_arrival(JobId job);
    void pass_the_head();
    bool anyone_may_pass();
    void fill();
    void fill_short(std::size_t slot);
    void fill_short_by_score(std::size_t slot);
    void fill_alike(std::size_t group);
    void fill_grid(JobId rank);
    void fill_moving();
    void try_by_score(std::vector<JobId>& jobs);
    void fill_by_score();
    void gather(SizeIndex::Size from, SizeIndex::Size to, Duration longest);
    bool locate(Candidate& candidate);
    bool try_candidate(Candidate& candidate);
    void drop_too_large();
    void note_searched();
    void gather_all(SizeIndex::Size from, SizeIndex::Size to, Duration longest);
    void score_queue(const Order& order, std::vector<JobId>& jobs);
    void list_scored(const std::vector<JobId>& jobs);

    ProcCount available();
    // For whom may_start() says true. Past its deadline not even a job of length 0 may pass the
    // head, but on spare processors.
    BackfillBounds bounds() {
        const bool may_be_late = rules_.strict_end || rules_.fixed_deadline;
        const bool is_late =
            may_be_late && rules_.reserves && now_ > shadow_ - (rules_.strict_end ? 1 : 0);
        const ProcCount most = is_late ? std::min(available(), spare()) : available();
        return {most, longest_before_shadow(), spare()};
    }
    void reserve();
    void reach(std::int64_t need);
    Duration longest_before_shadow() const;
    ProcCount spare() const;
    Duration longest_for(ProcCount processors) const;
    bool passes(JobId job) const;
    bool may_start(JobId job);
    Sizes sizes_to_search();

    ReplayContext context_;
    [[no_unique_address]] Rules rules_;
    ProcCount free_;
    std::unique_ptr<Order> order_;
    std::unique_ptr<Order> backfill_order_;
    std::vector<JobId> rank_; // under a static order; empty: the trace's own
    std::vector<JobId> by_rank_;
    std::vector<JobId> backfill_rank_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;

    std::optional<LinearScoreQueue> moving_; // the waiting jobs, under an order that ranks by lines
    RankSet queue_; // waiting jobs by rank; by position in the trace where scores drift
    // The same jobs in backfill order, where others may pass the head (easy_candidates.cpp).
    enum class Form : std::uint8_t { listed, alike, gridded, by_size };
    Form form_ = Form::listed;
    ShortQueue short_;
    std::optional<JobClassQueue> alike_; // made when the queue first gets long
    std::optional<JobClassGrid> grid_;   // likewise
    std::optional<SizeIndex> by_size_;   // likewise
    bool may_be_alike_;                  // jobs alike wait in the order in which they came
    static constexpr std::size_t kFewest = ShortQueue::kMost / 4;
    std::size_t lengthens_at_ = kFewest; // jobs in the list
    std::size_t fewest() const { return form_ == Form::by_size ? kFewest : kFewest / 2; }
    Releases releases_; // running jobs, where the head gets a reservation
    std::unordered_map<std::int32_t, std::vector<JobId>> waiting_by_user_; // where estimates drift

    // The reservation of head_. Where it is stale, shadow_ and extra_ bound it from above.
    JobId head_ = kNoJob;
    JobId reserved_for_ = kNoJob;
    bool reservation_stale_ = true;
    Time shadow_ = kNever;
    std::int64_t extra_ = 0;

    // No waiting job could start when the last search ended; what held then bounds the next one.
    struct Searched {
        JobId head = kNoJob;
        Time shadow = kNever;
        SizeIndex::Size available_end = 0;
        SizeIndex::Size spare_end = 0;
    };
    Searched searched_;

    // Of the present pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    bool only_old_ = false; // no job has arrived in this pass
    std::vector<Candidate> found_;
    std::vector<JobId> scratch_jobs_;
    std::vector<double> scratch_scores_;
    std::vector<Scored> scored_;
};

template <class Rules> ProcCount EasyPlanner<Rules>::available() {
    if (!rules_.ends_now_are_free) return free_;
    return free_ + static_cast<ProcCount>(releases_.released_by(now_));
}

// The longest job that ends before the reservation begins; 0 also where it has begun.
template <class Rules> Duration EasyPlanner<Rules>::longest_before_shadow() const {
    if (!rules_.reserves) return SizeIndex::kAnyLength;
    const Time window = shadow_ - now_ - (rules_.strict_end ? 1 : 0);
    return static_cast<Duration>(std::clamp<Time>(window, 0, SizeIndex::kAnyLength));
}

template <class Rules> ProcCount EasyPlanner<Rules>::spare() const {
    if (!rules_.spare_processors) return 0;
    constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
    return static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, most));
}

template <class Rules> Duration EasyPlanner<Rules>::longest_for(ProcCount processors) const {
    return processors <= spare() ? SizeIndex::kAnyLength : longest_before_shadow();
}

// Whether the reservation, as far as it is known, lets `job` pass.
template <class Rules> bool EasyPlanner<Rules>::passes(JobId job) const {
    if (!rules_.reserves || reserved_for_ != head_) return true;
    return length_of(job) <= longest_before_shadow() || context_.jobs.processors[job] <= spare();
}

template <class Rules> bool EasyPlanner<Rules>::may_start(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    if (processors > available()) return false;
    if (!rules_.reserves) return true;
    const Time end = now_ + length_of(job);
    if (rules_.strict_end ? end < shadow_ : end <= shadow_) return true;
    if (processors > spare()) return false;
    extra_ -= processors;
    return true;
}

// What `rule` names, on a pool of processors.
template <BackfillRule rule>
std::unique_ptr<Scheduler> make_easy_planner(const ReplayContext& context) {
    auto order = make_order(context.policy.order);
    auto behind = make_order(context.policy.order_behind_head());
    const EasyRules rules(rule, context, *order, *behind);
    const auto made = [&]<class Rules>(std::type_identity<Rules>) -> std::unique_ptr<Scheduler> {
        return std::make_unique<EasyPlanner<Rules>>(context, rules, std::move(order),
                                                    std::move(behind));
    };
    if constexpr (rule == kEasy)
        if (EasyInTraceOrder::are(rules)) return made(std::type_identity<EasyInTraceOrder>{});
    return made(std::type_identity<EasyRules>{});
}

} // namespace slotwise
