// Waiting jobs under an order that ranks by lines (order.hpp): who is first, and who of those that
// could start.
//
// Jobs alike in processors, requested_time and the priority of their queue wait one behind the
// other: among them the one that came first ranks first, always. So only the front of each line of
// jobs is looked at. The front that ranks first stays so until a steeper line crosses its own: with
// it goes the time up to which that is sure, and an arrival only brings that time nearer.
//
// Example, ranks at_submit + per_second · wait: A, submitted at 0, is 10 + 1·wait, B, submitted at
// 4, is 0 + 3·wait. At 4 A has 14 and B 0; A is first through 10, as they meet at 11.
//
// Lines bound: where two lie closer than rounding could reach, the scores decide, then submit, then
// position.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class LinearScoreQueue {
  public:
    // `order` ranks by lines; both outlive the queue.
    LinearScoreQueue(const ReplayJobs& jobs, const Order& order);

    // Goes on over `jobs` and `order`, which are the same.
    void rebind(const ReplayJobs& jobs, const Order& order);

    // `now` never falls from call to call.
    void insert(JobId job, Time now);
    void erase(JobId job);

    // The first in the queue, which is not empty.
    JobId first(Time now) {
        if (first_ == kNone || now > sure_through_) find_first(now);
        return front_[first_];
    }

    // Whether `job`, which has arrived and does not wait here, would rank before the first.
    bool would_be_first(JobId job, Time now);

    bool any_within(const BackfillBounds& bounds) const;

    // The highest of those there is room for, or kNoJob.
    JobId highest(const BackfillBounds& bounds, Time now);

  private:
    using Position = std::uint32_t; // of a line of jobs alike
    static constexpr Position kNone = 0xFFFFFFFFU;

    struct Rank { // over the seconds since the trace's first submit
        double at_zero;
        double slope;
        double at(double seconds) const { return at_zero + slope * seconds; }
    };

    double seconds(Time now) const { return static_cast<double>(now - jobs_->first_submit); }
    double doubt(double seconds) const { return doubt_at_zero_ + doubt_slope_ * seconds; }
    Rank rank_of(const LinearScore& line, JobId job) const;
    Rank rank_at(Position place) const { return {at_zero_[place], slope_[place]}; }
    void widen_doubt(const LinearScore& line, Time submit);
    Position place_alike(JobId job) const;
    Position place_of(JobId job) const;
    void open(JobId job);
    void fall_in(Position place, JobId job);
    void close(Position place);
    void set_front(Position place, JobId job);
    void find_first(Time now);
    Time sure_through(Time now);
    Time sure_against(const Rank& other, Time now) const;
    bool precedes(JobId a, JobId b, Time now) const;
    unsigned fitting(std::size_t group, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[group], &requests_[group], bounds);
    }

    const ReplayJobs* jobs_;
    const Order* order_;

    // By place; behind the last up to a whole group of places without room for anything.
    std::size_t size_ = 0;
    std::vector<double> at_zero_;
    std::vector<double> slope_;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> requests_; // biased
    std::vector<JobId> front_;
    std::vector<JobId> back_;

    std::vector<JobId> behind_; // by job: the next alike, or kNoJob

    Position first_ = kNone;
    Position highest_ = 0;  // that of the last highest()
    Time sure_through_ = 0; // the last instant at which first_ is first for sure
    // Ranks this close may be equal; twice the band around the widest line so far.
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
