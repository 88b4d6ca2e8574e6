// A scheduler that calls an external dispatcher at each pass to choose the jobs that start.
#pragma once

#include "availability/node_state.hpp"
#include "machine/torus/slots.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace slotwise {

// The data of one pass, as passed to a dispatcher. It is valid until the dispatcher returns.
struct PassView {
    const ReplayContext& context;
    Time now;
    ProcCount free;
    std::span<const JobId> waiting; // in trace order
    std::span<const JobId> running; // in the order in which they started
    std::span<const JobId> ended;   // jobs that ended since the previous pass
    std::span<const JobId> arrived; // jobs that arrived or were released since the previous pass
    const Slots* slots;             // slots of a torus; null on other machines

    // The following members are set only on a site with pools: the pools, the free processors of
    // each pool, the pool in which each job is running or last ran, and the unused processors of
    // each user reservation (kNotOpen if it is closed).
    std::span<const Pool> pools = {};
    std::span<const ProcCount> free_in_pools = {};
    std::span<const PoolId> pool_of = {};
    std::span<const UserReservation> reservations = {};
    std::span<const ProcCount> free_in_reservations = {};

    static constexpr ProcCount kNotOpen = -1;

    const NodeState* nodes = nullptr; // set only on a machine whose nodes have several resources
};

class Dispatcher {
  public:
    virtual ~Dispatcher() = default;

    // Appends to `chosen` the jobs to start now, in the order in which to start them. Exceptions
    // propagate to the caller of the replay.
    virtual void choose(const PassView& view, std::vector<JobId>& chosen) = 0;

    // Returns the nodes chosen for the i-th job of the last call to choose(). If the list is empty,
    // the job may get any free nodes.
    virtual std::span<const std::int32_t> nodes(std::size_t) const { return {}; }

    // Returns the pool chosen for the i-th job of the last call to choose(). kAnyPool selects the
    // first pool of the job's queue in which the job can start.
    virtual PoolId pool(std::size_t) const { return kAnyPool; }

    // Returns a dispatcher for another replay. The two replays may run at the same time.
    virtual std::shared_ptr<Dispatcher> clone() const = 0;
};

// Thrown if a dispatcher's decision cannot be carried out.
class DispatchError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// In each pass, starts either all jobs that the dispatcher has chosen or none. If a pass throws, no
// job has started, and the pass can be repeated.
class DispatchPlanner final : public Scheduler {
  public:
    DispatchPlanner(const ReplayContext& context, std::shared_ptr<Dispatcher> dispatcher);
    DispatchPlanner(const DispatchPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return false; }
    std::size_t queued() const override { return waiting_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return false; }
    bool can_repeat_pass() const override { return asking_; }
    bool places_jobs() const override { return slots_.has_value(); }
    const Slots* slots() const override { return slots_ ? &*slots_ : nullptr; }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<DispatchPlanner>(*this, context);
    }

  private:
    [[noreturn]] void refuse(JobId job, const std::string& why) const;
    void check_answer();
    void place_answer();
    void place(JobId job, std::span<const std::int32_t> nodes);
    std::string holder_of(std::int32_t node) const;

    ReplayContext context_;
    std::shared_ptr<Dispatcher> dispatcher_;
    ProcCount free_;
    std::optional<Slots> slots_; // used only on a torus
    std::vector<JobId> waiting_; // ascending
    std::vector<JobId> running_;
    std::vector<JobId> ended_;
    std::vector<JobId> arrived_;
    std::vector<JobId> chosen_;
    std::vector<JobId> sorted_;
    std::vector<std::int32_t> sorted_nodes_;
    std::vector<NodeInterval> placed_;       // nodes of the chosen jobs, one job after another
    std::vector<std::uint32_t> placed_ends_; // for each chosen job, the end of its nodes in placed_
    bool asking_ = false;                    // true during a call, and after a failed pass
};

// Returns a dispatcher that starts each job at a recorded time. `start` is indexed by job.
std::shared_ptr<Dispatcher> recorded_dispatcher(std::vector<Time> start);

} // namespace slotwise
