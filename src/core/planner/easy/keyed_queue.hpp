// Waiting jobs sorted by manual priority and rank. They are stored in columns, which are searched
// sixteen jobs at a time.
//
// Example: A (priority 0, rank 0), B (priority 0, rank 1) and C (priority 5, rank 2) wait in the
// order C A B. If C is blocked, a search from position 1 finds A and then B.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Unlike plain ranks, keys may change while jobs wait: erase a job under its old key, then insert
// it under its new key. Either step may have to shift all jobs behind that position, which
// take 28 bytes each. A search also takes linear time.
class KeyedQueue {
  public:
    struct Key {
        double priority; // jobs with a higher priority come first
        JobId rank;

        bool operator<(const Key& other) const { // returns true if this key comes first
            return priority != other.priority ? priority > other.priority : rank < other.rank;
        }
    };

    KeyedQueue();

    bool empty() const { return jobs_.size() == begin_; }
    std::size_t size() const { return jobs_.size() - begin_; }

    // Positions run from begin() to end() in the order of the queue.
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return jobs_.size(); }
    JobId job_at(std::size_t position) const { return jobs_[position]; }

    void insert(const Key& key, JobId job, ProcCount processors, Duration length);

    // erase() removes the job with this key. erase_at() removes the job at this position, and
    // returns the position of the next job.
    void erase(const Key& key);
    std::size_t erase_at(std::size_t position);

    // Returns the first position at or after `from` whose job is within `bounds`, or end() if there
    // is none.
    std::size_t next(std::size_t from, const BackfillBounds& bounds) const;

  private:
    std::size_t begin_ = 0; // positions before this one belonged to jobs that have left
    std::vector<Key> keys_;
    std::vector<JobId> jobs_;
    // `processors_` and `lengths_` have sixteen extra entries after end(), which are outside all
    // bounds.
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased (backfill_bounds.hpp)
};

} // namespace slotwise
