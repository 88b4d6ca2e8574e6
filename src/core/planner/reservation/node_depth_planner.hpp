// none, first-fit, easy, depth and replan on nodes with several resources.
//
// A reservation is a time and places: a later job starts if it has room now, for its whole length,
// on nodes the reservations leave. Example: two nodes of 4 cores, one with a GPU. A runs on 2 cores
// of the GPU node until 100. B asks 4 cores and the GPU: reserved the GPU node from 100. C (2 cores
// for 200 s) starts on the other node; D (2 cores for 50 s) may use the GPU node, as it ends before
// 100, E (2 cores for 200 s) may not.
#pragma once

#include "planner/reservation/node_planner_base.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// In order, a job that has room now starts; the first `depth` that have none are given the earliest
// place. Without `others_pass` the pass ends at the first that has no room.
//
// Reservations stay in the plan between passes: as long as nothing ends, and what arrives comes
// behind them, a pass looks at the arrivals alone.
class NodeDepthPlanner final : public NodePlannerBase {
  public:
    NodeDepthPlanner(const ReplayContext& context, std::shared_ptr<const JobDemands> jobs,
                     bool others_pass, std::int64_t depth);
    NodeDepthPlanner(const NodeDepthPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool remembers() const override { return false; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<NodeDepthPlanner>(*this, context);
    }

  private:
    static constexpr std::size_t kMostFailures = 48;

    struct Reservation {
        JobId job;
        Time start;
        std::vector<Place> places;
    };
    // A demand that had no room for `length`; what asks as much or more has none either, until
    // something ends.
    struct Failure {
        UnitDemand demand;
        Time length;
    };

    bool only_arrivals_matter(const Instant& instant) const;
    void go_through(std::span<const JobId> jobs, Time now, bool any_waits, Starts& starts);
    bool has_room(JobId job, Time now);
    void reserve(JobId job, Time now);
    void withdraw(Time now);

    bool others_pass_;
    std::int64_t depth_;
    std::vector<Reservation> reserved_;
    std::vector<Failure> failures_;     // since something ended
    std::size_t next_failure_ = 0;      // the one to be replaced when there are kMostFailures
    JobId last_blocked_ = kNoJob;       // of the jobs that hold back others, the last in order
    std::vector<std::uint8_t> started_; // by job
    std::vector<JobId> arrivals_;
};

} // namespace slotwise
