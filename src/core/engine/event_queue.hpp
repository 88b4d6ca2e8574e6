// Future completions, in the order of a replay.
//
// The total order of a replay is (time, kind, sequence). Completions of one instant come in the
// order in which their jobs started, arrivals in the order of the trace, and Policy::event_order
// decides which kind goes first.
#pragma once

#include "containers/block_column.hpp"
#include "containers/timing_wheel.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class EventQueue {
  public:
    // Holds jobs below n_jobs that end at or after `origin`, mostly within `horizon` of their
    // start.
    EventQueue(std::size_t n_jobs, Time origin, Duration horizon)
        : wheel_(origin, horizon), following_(n_jobs, kNoJob) {}

    bool empty() const { return next_ == kNever; }

    // The next end, or kNever.
    Time next() const { return next_; }

    // Adds the end of `job`, at the current time `now`. O(1), except for jobs that end within the
    // same slot of the wheel.
    void push(Time end, JobId job, Time now) {
        const Slot slot = wheel_.slot_of(end, now, kNothing);
        Jobs& jobs = wheel_.at(slot, end);
        if (jobs.first == kNoJob)
            jobs.first = job;
        else
            following_.set(jobs.last, job);
        jobs.last = job;
        next_slot_ = end < next_ ? slot : next_slot_;
        next_ = end < next_ ? end : next_;
    }

    // Removes the next end and returns its job.
    JobId pop() {
        const Slot slot =
            next_slot_ != Wheel::kFar ? next_slot_ : wheel_.slot_of(next_, next_, kNothing);
        Jobs& jobs = wheel_.first_in(slot);
        const JobId job = jobs.first;
        if (job != jobs.last) {
            jobs.first = following_[job];
            return job;
        }
        wheel_.erase_first_in(slot);
        next_ = wheel_.first(kNothing, next_slot_);
        return job;
    }

    // Removes the end events of `jobs`, which may be pushed again; the others keep their order.
    // Linear in the queue plus a sort: used only when a calendar event kills jobs, which is rare.
    void remove(std::span<const JobId> jobs);

  private:
    struct Jobs { // jobs that end at one instant, in order of insertion
        JobId first = kNoJob;
        JobId last = kNoJob;
    };
    using Wheel = TimingWheel<Jobs>;
    using Slot = Wheel::Slot;
    static constexpr auto kNothing = [](auto, const Jobs&) {};

    Wheel wheel_;
    BlockColumn<JobId> following_; // the next job of the same instant, for all but the last
    Time next_ = kNever;
    Slot next_slot_ = Wheel::kFar; // slot of next_; kFar if it was there when last pushed
};

} // namespace slotwise
