// A short queue, sorted by rank. It is searched by comparing every job, sixteen at a time. With
// fewer than about a hundred waiting jobs, no index is faster (docs/decisions/0003-fast-easy.md).
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace slotwise {

class ShortQueue {
  public:
    static constexpr std::size_t kMost = 512; // largest number of jobs

    std::size_t size() const { return size_; }
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return end_; }
    JobId job_at(std::size_t slot) const { return jobs_[slot]; }

    bool holds(std::size_t slot) const { return processors_[slot] != kGone; }

    void clear() { begin_ = end_ = size_ = 0; }

    // Inserts `job` behind the jobs that rank before it. Takes O(1) time if jobs arrive in order of
    // rank.
    void insert(JobId job, JobId rank, ProcCount processors, Duration length);

    // Removes the job in `slot`.
    void erase(std::size_t slot);

    // Returns the slot of a job that is in the queue.
    std::size_t find(JobId job) const;

    void set_length(std::size_t slot, Duration length) {
        lengths_[slot] = backfill::biased(length);
    }

    // Returns the first slot at or after `from` whose job is within `bounds`, or end() if there is
    // none.
    std::size_t next(std::size_t from, const BackfillBounds& bounds) const;

  private:
    static constexpr std::size_t kSlots = 2 * kMost;
    static constexpr ProcCount kGone = 0x7FFFFFFF; // more processors than any machine has

    void compact();

    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t size_ = 0;
    alignas(16) std::array<ProcCount, kSlots> processors_{}; // kGone if the job has left
    alignas(16) std::array<std::int32_t, kSlots> lengths_{}; // biased lengths
    std::array<JobId, kSlots> jobs_{};
    std::array<JobId, kSlots> ranks_{};
};

} // namespace slotwise
