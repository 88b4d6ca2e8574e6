// A scheduler that asks outside the core, at each pass, who starts.
#pragma once

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

// What one pass shows to a dispatcher. Valid until it has answered.
struct PassView {
    const ReplayContext& context;
    Time now;
    ProcCount free;
    std::span<const JobId> waiting; // in trace order
    std::span<const JobId> running; // as they started
    std::span<const JobId> ended;   // since the pass before
    std::span<const JobId> arrived; // likewise; those released by hand among them
    const Slots* slots;             // of a torus, else null

    // Of a site of pools: what is free in each; where each job runs, or ran last; and what nobody
    // has of the reservations of users, kNotOpen of those that are not open.
    std::span<const Pool> pools = {};
    std::span<const ProcCount> free_in_pools = {};
    std::span<const PoolId> pool_of = {};
    std::span<const UserReservation> reservations = {};
    std::span<const ProcCount> free_in_reservations = {};

    static constexpr ProcCount kNotOpen = -1;
};

class Dispatcher {
  public:
    virtual ~Dispatcher() = default;

    // Puts the jobs that start now into `chosen`, in that order; what it throws goes to who moved
    // the replay.
    virtual void choose(const PassView& view, std::vector<JobId>& chosen) = 0;

    // The positions of the nodes it chose, on a torus, for the i-th job of its last answer; none:
    // any free ones.
    virtual std::span<const std::int32_t> nodes(std::size_t) const { return {}; }

    // Where the i-th job of its last answer starts; kAnyPool: in the first pool of its queue in
    // which it can.
    virtual PoolId pool(std::size_t) const { return kAnyPool; }

    // One for another replay, which may run at the same time.
    virtual std::shared_ptr<Dispatcher> clone() const = 0;
};

// A dispatcher's answer that cannot be followed.
class DispatchError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// An answer is followed whole or not at all: after a pass that threw, nothing has started, and the
// pass can be run again.
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
    std::optional<Slots> slots_; // of a torus
    std::vector<JobId> waiting_; // ascending
    std::vector<JobId> running_;
    std::vector<JobId> ended_;
    std::vector<JobId> arrived_;
    std::vector<JobId> chosen_;
    std::vector<JobId> sorted_;
    std::vector<std::int32_t> sorted_nodes_;
    std::vector<NodeInterval> placed_;       // nodes of the jobs chosen, one after the other
    std::vector<std::uint32_t> placed_ends_; // … where those of each end
    bool asking_ = false;                    // also after the dispatcher threw
};

// Starts each job at the time of `start`, by job: a dispatcher's past, without it.
std::shared_ptr<Dispatcher> recorded_dispatcher(std::vector<Time> start);

} // namespace slotwise
