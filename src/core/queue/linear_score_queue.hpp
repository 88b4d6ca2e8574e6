// The waiting jobs under an order with linear scores (order.hpp). The queue finds the
// highest-ranked of all jobs, and the highest-ranked of those that could start.
//
// Jobs with the same processors, requested_time and queue priority wait in one row. The earliest of
// them always ranks first, so only the front of each row is examined. Plotted over time, a rank is
// a straight line. The front that ranks first remains first until a steeper line crosses its line.
// The queue stores the time until which this is certain; an arrival can only make that time
// earlier.
//
// Example with ranks at_submit + per_second · wait: A, submitted at 0, has the rank 10 + 1·wait; B,
// submitted at 4, has the rank 0 + 3·wait. At 4, A scores 14 and B scores 0. The lines meet at 11,
// so A is certainly first up to and including 10.
//
// If two lines are closer together than the rounding error, the jobs are compared by their scores,
// then by submit time, then by position.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "containers/block_column.hpp"
#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class LinearScoreQueue {
  public:
    // `order` must have linear scores. `jobs` and `order` must outlive the queue.
    LinearScoreQueue(const ReplayJobs& jobs, const Order& order);

    // Switches to `jobs` and `order`, which must be copies of the previous ones.
    void rebind(const ReplayJobs& jobs, const Order& order);

    // Inserts a new waiting job. `now` must never decrease between calls.
    void insert(JobId job, Time now);
    void erase(JobId job);

    // Returns the first job of the queue, which must not be empty.
    JobId first(Time now) {
        if (first_ == kNone || now > sure_through_) find_first(now);
        return front_[first_];
    }

    // Returns true if `job` would rank before the first job. `job` has arrived but is not in this
    // queue.
    bool would_be_first(JobId job, Time now);

    bool any_within(const BackfillBounds& bounds) const;

    // Returns the highest-ranked job within `bounds`, or kNoJob if there is none.
    JobId highest(const BackfillBounds& bounds, Time now);

  private:
    using Position = std::uint32_t; // index of a row
    static constexpr Position kNone = 0xFFFFFFFFU;

    struct Rank { // linear in the seconds since the first submit time in the trace
        double at_zero;
        double slope;
        double at(double seconds) const { return at_zero + slope * seconds; }
    };

    double seconds(Time now) const { return static_cast<double>(now - jobs_->first_submit); }
    double doubt(double seconds) const { return doubt_at_zero_ + doubt_slope_ * seconds; }
    Rank rank_of(const LinearScore& line, JobId job) const;
    Rank rank_at(Position place) const { return {at_zero_[place], slope_[place]}; }
    void widen_doubt(const LinearScore& line, Time submit);
    Position identical_row(JobId job) const;
    Position place_of(JobId job) const;
    void open(JobId job);
    void join_row(Position place, JobId job);
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

    // The following arrays are indexed by row. The last group is padded with rows that are
    // never within any bounds.
    std::size_t size_ = 0;
    std::vector<double> at_zero_;
    std::vector<double> slope_;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> requests_; // biased requested times
    std::vector<JobId> front_;
    std::vector<JobId> back_;

    BlockColumn<JobId> behind_; // indexed by job: the next job in its row, or kNoJob

    Position first_ = kNone;
    Position highest_ = 0;  // the row that highest() found last
    Time sure_through_ = 0; // last instant at which first_ is certainly first
    // Bound on the rounding error when two ranks are compared: its value at the first submit time,
    // and its growth per second.
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
