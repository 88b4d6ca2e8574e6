// Future completions, in the order of a replay.
//
// The total order of a replay is (time, kind, sequence). Completions of one instant come in the
// order in which their jobs started, arrivals in the order of the trace, and Policy::event_order
// decides which kind goes first.
#pragma once

#include "containers/timing_wheel.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class EventQueue {
  public:
    // Holds jobs that end at or after `origin`, mostly within `horizon` of their start.
    EventQueue(Time origin, Duration horizon) : wheel_(origin, horizon) {}

    bool empty() const { return next_ == kNever; }

    // The next end, or kNever.
    Time next() const { return next_; }

    // Adds the end of `job`, at the current time `now`. O(1), except for jobs that end within the
    // same slot of the wheel.
    void push(Time end, JobId job, Time now) {
        Jobs& jobs = wheel_.at(wheel_.slot_of(end, now, kNothing), end);
        if (jobs.first == kNoJob)
            jobs.first = job;
        else
            add_behind(jobs, job);
        next_ = end < next_ ? end : next_;
    }

    // Removes the next end and returns its job.
    JobId pop() {
        const auto slot = wheel_.slot_of(next_, next_, kNothing);
        Jobs& jobs = wheel_.first_in(slot);
        const JobId job = jobs.first;
        if (jobs.second != kNone) {
            take_second(jobs);
            return job;
        }
        wheel_.erase_first_in(slot);
        next_ = wheel_.first(kNothing);
        return job;
    }

    // Removes the end events of `jobs`, which may be pushed again; the others keep their order.
    // Linear in the queue plus a sort: used only when a calendar event kills jobs, which is rare.
    void remove(std::span<const JobId> jobs);

  private:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xFFFFFFFFU;

    // Jobs that end at one instant, in order of insertion. All but the first are in links_.
    struct Jobs {
        JobId first = kNoJob;
        Index second = kNone;
        Index last = kNone;
    };
    struct Link {
        JobId job;
        Index next; // of the same instant, or in the free list
    };
    static constexpr auto kNothing = [](auto, const Jobs&) {};

    void add_behind(Jobs& jobs, JobId job) {
        if (free_ == kNone) {
            free_ = static_cast<Index>(links_.size());
            links_.push_back({kNoJob, kNone});
        }
        const Index link = free_;
        free_ = links_[link].next;
        links_[link] = {job, kNone};
        (jobs.second == kNone ? jobs.second : links_[jobs.last].next) = link;
        jobs.last = link;
    }

    // Makes the second job the first.
    void take_second(Jobs& jobs) {
        Link& link = links_[jobs.second];
        jobs.first = link.job;
        std::swap(link.next, free_);
        std::swap(jobs.second, free_);
    }

    TimingWheel<Jobs> wheel_;
    std::vector<Link> links_;
    Index free_ = kNone; // first unused link
    Time next_ = kNever;
};

} // namespace slotwise
