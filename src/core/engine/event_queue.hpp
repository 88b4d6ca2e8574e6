// The future end events of jobs, in the order in which a replay handles them.
//
// A replay sorts its events by time, then by kind, then by sequence number. At one instant, the
// ends of jobs are handled in the order in which the jobs started, and arrivals in trace order.
// Policy::event_order decides whether the ends or the arrivals come first.
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
    // Creates a queue for the jobs numbered from 0 to n_jobs − 1. Every job must end at or after
    // `origin`. The queue is fastest if most jobs end within `horizon` of their start.
    EventQueue(std::size_t n_jobs, Time origin, Duration horizon)
        : wheel_(origin, horizon), following_(n_jobs, kNoJob) {}

    bool empty() const { return next_ == kNever; }

    // Returns the time at which the next job ends, or kNever.
    Time next() const { return next_; }

    // Adds the end event of `job`; `now` is the current time. This takes O(1) time unless several
    // jobs end within the same slot of the timing wheel.
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

    // Removes the end events of `jobs`, which may be pushed again later. The other events keep
    // their order. This takes time linear in the length of the queue, plus the time for a sort. It
    // is called only when running jobs are stopped, which is rare.
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
    BlockColumn<JobId> following_; // the next job that ends at the same instant, or kNoJob
    Time next_ = kNever;
    Slot next_slot_ = Wheel::kFar; // slot of next_, or kFar if not yet known
};

} // namespace slotwise
