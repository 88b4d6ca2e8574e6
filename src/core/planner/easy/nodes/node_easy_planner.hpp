// EASY backfilling on nodes, with reservations that name nodes, for one queue under a static order.
//
// Example with two nodes of 4 cores: A runs on node 0 until 100. B, the head, requests both nodes,
// and has a reservation from 100 onwards. C, D and E wait behind B. C and D request 2 cores for 200
// s, and E requests 2 cores for 50 s. C and D are of the same kind, and both are too long to start
// now, so only E is tried. When A ends, B starts.
#pragma once

#include "containers/rank_set.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/easy/nodes/node_room.hpp"
#include "planner/scheduler.hpp"
#include "queue/by_demand/demand_queue.hpp"
#include "queue/job_ranking.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// The schedule is the same as that of DepthPlanner with a depth of one. A pass tests each kind of
// demand only once, and then looks for the first job of that kind that is short enough. The
// reservation of the head is kept as long as a new search would give the same one.
class NodeEasyPlanner final : public Scheduler {
  public:
    // Returns true if ranks and estimates are constant, the backfill rule reserves only for the
    // head, as `easy` does, and no separate backfill order is set.
    static bool fits(const ReplayContext& context);

    // Requires fits(context).
    NodeEasyPlanner(const ReplayContext& context, std::shared_ptr<const JobDemands> demands);
    NodeEasyPlanner(const NodeEasyPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return context_.policy.ending_now_is_free; }
    std::size_t queued() const override { return waiting_.size(); }
    void describe(Schedule& schedule) const override { schedule.places = room_.places(); }
    bool remembers() const override { return false; }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<NodeEasyPlanner>(*this, context);
    }

  private:
    // The first job of a kind, if it may start.
    struct Candidate {
        JobId rank;
        DemandQueue::Slot slot;
        // The lowest rank is on top of the heap.
        bool operator<(const Candidate& other) const { return rank > other.rank; }
    };

    Duration length_of(JobId job) const { return std::max<Duration>(estimates_.running(job), 1); }
    void finish(std::span<const JobId> ended);
    void enqueue(std::span<const JobId> arrived);
    bool only_arrivals_matter(const Instant& instant) const;
    bool keeps_head() const;
    void start_in_order();
    void backfill();
    void backfill(std::span<const JobId> arrived);
    bool list(std::uint32_t kind, DemandQueue::Slot from);
    bool try_start(JobId job, bool past_another);
    JobId first() const { return by_rank_.empty() ? waiting_.first() : by_rank_[waiting_.first()]; }

    ReplayContext context_;
    std::shared_ptr<const JobDemands> demands_;
    JobRanking ranking_;
    RunTimeEstimates estimates_;
    NodeRoom room_;
    DemandQueue queue_;
    RankSet waiting_;            // ranks of the jobs in queue_
    std::vector<JobId> by_rank_; // jobs in rank order; empty for trace order
    JobId head_ = kNoJob;        // the job that has the reservation

    // State of the current pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    std::vector<Candidate> candidates_; // a heap
    std::vector<JobId> arrivals_;
    std::vector<Place> found_;
};

} // namespace slotwise
