// Schedules one window of jobs at a time. The first jobs of the queue are placed together into the
// slots of free nodes, so as to fill as many nodes as possible. Each job gets consecutive nodes.
//
// Example (Figure 4 of the paper): there are nodes 1 to 20, of which 4, 5 and 12 to 14 are busy, so
// the slots are 1-3, 6-11 and 15-20. A (6 nodes), B (4), C (3), D (1) and E (2) wait in this order.
// A gets nodes 6-11, B gets 15-18, C gets 1-3 and E gets 19-20. D waits, and is the first job of
// the next window.
#pragma once

#include "machine/torus/slots.hpp"
#include "planner/scheduler.hpp"
#include "planner/torus/aged_reservation.hpp"
#include "planner/torus/knapsack/branch_and_bound.hpp"
#include "planner/torus/knapsack/greedy.hpp"
#include "queue/window_queue.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

// The rules are described in docs/concepts/window.md. Jobs in the same slot are placed in window
// order, from the lower end of the slot upwards. Without an age limit, no run times are estimated.
class WindowPlanner final : public Scheduler {
  public:
    explicit WindowPlanner(const ReplayContext& context);
    WindowPlanner(const WindowPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override;
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return reservation_ && reservation_->estimates().learns(); }
    void cancel(JobId job) override;
    bool places_jobs() const override { return true; }
    const Slots* slots() const override { return &slots_; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<WindowPlanner>(*this, context);
    }

  private:
    struct Options { // parameters of the backfill rule
        explicit Options(const Policy& policy);

        std::size_t window;      // number of jobs in the window
        bool is_greedy;          // slots are filled by a quick heuristic rather than optimally
        bool all_slots;          // all slots are used, even if there are more slots than jobs
        bool refill;             // the window advances within a pass until no job starts
        bool beyond_window;      // jobs behind the window may start
        Time age_limit = kNever; // waiting time after which a job of the window gets a reservation
    };

    void release(std::span<const JobId> ended);
    bool start_some();
    void start(JobId job, NodeInterval nodes, bool past_another);
    bool start_first_fit(JobId job, bool past_another);

    void fill_slots();
    void list_slots(NodeCount smallest);
    void start_chosen();

    bool is_of_age(JobId job) const;
    void serve_the_aged();
    void start_on_reserved();
    bool ends_in_time(JobId job) const { return reservation_->is_passed_by(job, now_); }
    void heed_reservation(JobId job);
    void start_behind();
    Time next_of_age() const;

    ReplayContext context_;
    Slots slots_;
    Options options_;
    WindowQueue queue_;
    knapsack::BranchAndBound branch_and_bound_;
    knapsack::Greedy greedy_;

    std::optional<AgedReservation> reservation_; // used only if there is an age limit
    JobId reserved_for_ = kNoJob;

    // State of the current pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    std::vector<NodeInterval> found_; // the part of each slot that is still free
    std::vector<NodeCount> sizes_;
    std::vector<NodeCount> capacities_;
    std::vector<knapsack::SlotIndex> slot_of_;
    std::vector<JobId> tried_;
};

} // namespace slotwise
