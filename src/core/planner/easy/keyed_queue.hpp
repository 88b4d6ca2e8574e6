// Waiting jobs sorted by a manual priority and a rank, in columns that are searched sixteen jobs at
// a time.
//
// Example: A (priority 0, rank 0), B (0, 1) and C (5, 2) wait in the order C A B. If 2 processors
// are free, next(1) is the position of the first of A and B that fits.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Unlike ranks alone, keys may change while jobs wait: erase a job under its old key, and insert it
// under the new one. Both operations move the jobs on one side, at 28 bytes each. A search takes
// linear time too.
class KeyedQueue {
  public:
    struct Key {
        double priority; // higher comes first
        JobId rank;

        bool operator<(const Key& other) const { // true if this key comes first
            return priority != other.priority ? priority > other.priority : rank < other.rank;
        }
    };

    KeyedQueue();

    bool empty() const { return jobs_.size() == begin_; }
    std::size_t size() const { return jobs_.size() - begin_; }

    // Positions run from begin() to end(), in order.
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return jobs_.size(); }
    JobId job_at(std::size_t position) const { return jobs_[position]; }

    void insert(const Key& key, JobId job, ProcCount processors, Duration length);

    // Removes the job with this key, or at this position; returns the position of the next job.
    void erase(const Key& key);
    std::size_t erase_at(std::size_t position);

    // First position at or after `from` with a job within `bounds`, or end().
    std::size_t next(std::size_t from, const BackfillBounds& bounds) const;

  private:
    std::size_t begin_ = 0; // earlier positions belong to jobs that have left
    std::vector<Key> keys_;
    std::vector<JobId> jobs_;
    std::vector<ProcCount> processors_; // sixteen entries after end() fit no bounds
    std::vector<std::int32_t> lengths_; // biased lengths; as many entries
};

} // namespace slotwise
