// The plan of a machine with identical processors. Each query concerns one job.
#pragma once

#include "availability/profile.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class ProcessorPlan {
  public:
    static constexpr bool kKeepsReservations = false;
    static constexpr Duration kLeastLength = 0;
    struct Hold {};

    explicit ProcessorPlan(const ReplayContext& context);

    // Copies the plan for use with a copy of the jobs.
    ProcessorPlan(const ProcessorPlan& other, const ReplayContext& context);

    bool can_hold(JobId) const { return true; }
    void advance(Time now);
    void begin() { available_ = ends_now_are_free_ ? profile_.least(now_, now_ + 1) : free_; }
    void close();
    bool is_full() const { return available_ == 0; }

    bool fits_first(JobId job, Duration) const { return has_room(job); }
    bool has_room(JobId job) const { return processors(job) <= available_; }
    bool fits(JobId job, Duration length) const {
        return length == 0 || profile_.least(now_, now_ + length) >= processors(job);
    }
    Time earliest(JobId job, Duration length, bool) const {
        return profile_.earliest(processors(job), length, now_, {});
    }

    void occupy(JobId job, Time from, Time to, Hold&) { profile_.add(from, to, -processors(job)); }
    void vacate(JobId job, Time from, Time to, Hold&) { profile_.add(from, to, processors(job)); }

    void start(JobId job, Time planned, Time end);
    void prolong(JobId job, Time from, Time to) { profile_.add(from, to, -processors(job)); }
    void finish(JobId job, Time end);

    // Adds a running job that started before this plan was created.
    void resume(JobId job, Time end);

  private:
    struct Started { // a started job whose assumed end differs from the planned one
        JobId job;
        Time planned;
        Time end;
    };

    ProcCount processors(JobId job) const { return jobs_->processors[job]; }

    const ReplayJobs* jobs_;
    bool ends_now_are_free_;
    Time now_;
    ProcCount free_; // processors free now, ignoring job ends that are not yet handled
    ProcCount available_ = 0;
    Profile profile_; // running jobs and reservations
    std::vector<Started> started_;
};

} // namespace slotwise
