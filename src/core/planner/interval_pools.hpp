// The pool of a torus on which each job takes consecutive nodes: running jobs, reservations and
// promises.
//
// Example with 10 nodes, first fit: A runs on [0, 4) until 100, and B runs on [6, 8) until 50. A
// job on 5 nodes gets nodes [4, 9) reserved from 50 onwards. Until then, other jobs may use them.
#pragma once

#include "availability/intervals/interval_calendar.hpp"
#include "availability/intervals/interval_plan.hpp"
#include "planner/job_pools.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

// A reservation or a promise consists of a time and an interval of nodes, which the allocation rule
// chooses among the nodes that are free at that time.
class IntervalPools final : public JobPools {
  public:
    // `site` must come from completed(), and must outlive this object.
    IntervalPools(const Site& site, const ReplayContext& context);

    // Sets the context of a copied object.
    void rebind(const ReplayContext& context) { context_ = &context; }

    void advance(Time now) override;
    std::int64_t free_processors(PoolId) const override;
    ProcCount most_now(PoolId) const override { return processors_of(plan_.largest()); }
    bool fits_now(JobId job, Time length) override;
    bool fits_inside(JobId job, Time length, std::uint32_t reservation) override;
    void start(JobId job, Time planned_end) override;
    void start_inside(JobId job, std::uint32_t reservation, Time planned_end) override;
    void vacate(JobId job, Time planned_end) override;
    void prolong(JobId job, Time planned_end, Time end) override;
    Time earliest(JobId job, Time length, Time from, Time until) override;
    bool reserve(PoolId pool, JobId job, Time length) override;
    void reserve_at(PoolId pool, JobId job, Time from, Time length) override;
    void drop_reservations(PoolId pool) override;
    void promise(JobId job, Time start, Time length) override;
    void lay(JobId job, int sign) override;
    void forget_promise(JobId job) override { promises_.erase(job); }
    void forget_promises() override { promises_.clear(); }
    bool has_room(JobId job) override { return plan_.has_room(promises_.at(job)); }
    bool fits_promise(JobId job) override;
    bool is_overdrawn() override;
    bool is_open(std::uint32_t reservation) const override {
        return calendar_.is_open(reservation);
    }
    Time until(std::uint32_t reservation) const override { return calendar_.until(reservation); }
    ProcCount left(std::uint32_t reservation) const override;
    bool is_full(std::uint32_t reservation) const override { return left(reservation) == 0; }

    // This function and the following ones apply changes in the calendar.
    void begin_outage(std::uint32_t index, Time time);
    void end_outage(std::uint32_t index, Time time);
    void begin_repair(NodeInterval nodes, Time time);
    void end_repair(NodeInterval nodes, Time time);
    void begin_reservation(std::uint32_t index, Time time);
    void end_reservation(std::uint32_t index);
    const IntervalCalendar& calendar() const { return calendar_; }

    // promised() returns the nodes of a promise, nodes_of() those of a running job, and slots() the
    // nodes that are free now.
    NodeInterval promised(JobId job) const { return promises_.at(job).nodes; }
    NodeInterval nodes_of(JobId job) const { return running_.at(job); }
    const Slots& slots() const { return plan_.slots(); }

  private:
    struct Failure { // the size and the length of a job that did not fit
        NodeCount nodes;
        Time length;
    };

    bool has_failed(NodeCount nodes, Time length) const;
    NodeCount size(JobId job) const { return context_->nodes_of(job); }
    ProcCount processors_of(NodeCount nodes) const { return nodes * processors_per_node_; }

    const ReplayContext* context_;
    ProcCount processors_per_node_;
    IntervalPlan plan_;
    IntervalCalendar calendar_;
    std::unordered_map<JobId, NodeInterval> running_;
    std::vector<IntervalSpan> reserved_;
    std::unordered_map<JobId, IntervalSpan> promises_;
    NodeInterval found_;
    std::vector<Failure> failed_;   // failed searches since the last release
    bool may_be_overdrawn_ = false; // true if a promise may overlap with other parts of the plan
};

} // namespace slotwise
