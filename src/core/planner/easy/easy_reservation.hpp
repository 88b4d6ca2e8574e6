// Free processors, the head of the queue, and the head's reservation: its shadow time and extra
// processors.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/releases.hpp"
#include "planner/easy/easy_jobs.hpp"
#include "planner/easy/shadow.hpp"
#include "queue/size_index.hpp"
#include "types.hpp"

#include <algorithm>

namespace slotwise {

// If EasyRules::plain is true, the shadow time and the extra processors of a stale reservation are
// upper bounds on the true values.
template <class Rules> class EasyReservation {
  public:
    EasyReservation(const ReplayContext& context, const Rules& rules, const EasyJobs<Rules>& jobs);

    // Copies the state for use with copies of the context and of the jobs.
    EasyReservation(const EasyReservation& other, const ReplayContext& context,
                    const EasyJobs<Rules>& jobs);

    // Copies the state of a planner with other rules, but not its head.
    template <class Other>
    EasyReservation(const EasyReservation<Other>& other, const ReplayContext& context,
                    const Rules& rules, const EasyJobs<Rules>& jobs)
        : context_(&context), jobs_(&jobs), rules_(rules), now_(other.now_), free_(other.free_),
          releases_(other.releases_) {}

    Time now() const { return now_; }
    void advance(Time now) { now_ = now; }

    ProcCount available() const {
        if (!rules_.ends_now_are_free) return free_;
        return free_ + static_cast<ProcCount>(releases_.released_by(now_));
    }
    void occupy(ProcCount processors) { free_ -= processors; }
    void vacate(ProcCount processors) { free_ += processors; }

    // These functions add, move and remove the estimated end of a running job. If a job ends early,
    // the shadow time may become earlier, so the reservation becomes stale. If the job was expected
    // to end after the shadow time, its processors become extra processors.
    void add_release(Time end, ProcCount processors) { releases_.add(end, processors, now_); }
    void move_release(Time before, Time after, ProcCount processors) {
        releases_.remove(before, processors);
        releases_.add(after, processors, now_);
    }
    void remove_release(Time end, ProcCount processors) {
        releases_.remove(end, processors);
        if (end <= now_) return;
        if (end > shadow_.time) shadow_.extra += processors;
        is_stale_ = true;
    }

    // Returns the head of the queue, or kNoJob if there is none.
    JobId head() const { return head_; }
    void set_head(JobId head) { head_ = head; }
    void mark_stale() { is_stale_ = true; }

    // Drops the reservation of `job`, which is no longer waiting.
    void drop(JobId job) { reserved_for_ = job == reserved_for_ ? kNoJob : reserved_for_; }
    void drop() { reserved_for_ = kNoJob; }

    // Returns true if the reservation is for the head but is stale, so that it only gives bounds.
    bool bounds_head() const { return reserved_for_ == head_ && is_stale_; }

    // Updates the reservation for the current head.
    void reserve();

    // Makes `head` the head of the queue, and computes its reservation.
    void reserve_for(JobId head) {
        head_ = head;
        is_stale_ = true;
        reserve();
    }

    bool fits(JobId job) const { return jobs_->processors(job) <= available(); }
    Time shadow() const { return shadow_.time; }
    ProcCount spare() const { return rules_.spare_processors ? shadow_.spare() : 0; }

    // Returns the length of the longest job that can start now without delaying the reservation,
    // even if it needs more than the extra processors. Returns 0 once it is too late for any job,
    // and kAnyLength if the backfill rule makes no reservations.
    Duration longest_before_shadow() const {
        if (!rules_.reserves) return SizeIndex::kAnyLength;
        return shadow_.longest_from(rules_.strict_end ? now_ + 1 : now_);
    }
    Duration longest_for(ProcCount processors) const {
        return processors <= spare() ? SizeIndex::kAnyLength : longest_before_shadow();
    }

    // Returns the bounds within which may_start() is true. Once even a job of length 0 would end
    // too late, a job may pass the head only on extra processors.
    BackfillBounds bounds() const {
        const bool may_be_late = rules_.strict_end || rules_.fixed_deadline;
        const bool is_late =
            may_be_late && rules_.reserves && now_ > shadow_.time - (rules_.strict_end ? 1 : 0);
        const ProcCount most = is_late ? std::min(available(), spare()) : available();
        return {most, longest_before_shadow(), spare()};
    }

    // Returns false only if it is certain that the reservation keeps `job` from passing the head.
    bool passes(JobId job) const {
        if (!rules_.reserves || reserved_for_ != head_) return true;
        return jobs_->length_of(job) <= longest_before_shadow() ||
               jobs_->processors(job) <= spare();
    }

    // Returns true if `job` may start now. If so, reserves the extra processors that the job needs.
    bool may_start(JobId job) {
        const ProcCount processors = jobs_->processors(job);
        if (processors > available()) return false;
        if (!rules_.reserves) return true;
        const Time end = now_ + jobs_->length_of(job) + (rules_.strict_end ? 1 : 0);
        if (!rules_.spare_processors) return end <= shadow_.time;
        return shadow_.admits(end, processors);
    }

  private:
    template <class Other> friend class EasyReservation;

    void reach(std::int64_t need);

    const ReplayContext* context_;
    const EasyJobs<Rules>* jobs_;
    [[no_unique_address]] Rules rules_;
    Time now_ = 0;
    ProcCount free_;
    Releases releases_; // ends of running jobs; used if the head gets a reservation

    JobId head_ = kNoJob;
    JobId reserved_for_ = kNoJob;
    bool is_stale_ = true;
    Shadow shadow_;
};

} // namespace slotwise
