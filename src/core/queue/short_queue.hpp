// A short queue in order, searched by looking at every job, sixteen at a time: below a hundred or
// so waiting jobs nothing cleverer pays (docs/decisions/0003-fast-easy.md).
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace slotwise {

class ShortQueue {
  public:
    static constexpr std::size_t kMost = 512; // jobs it may hold

    std::size_t size() const { return size_; }
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return end_; }
    JobId job_at(std::size_t slot) const { return jobs_[slot]; }

    bool holds(std::size_t slot) const { return processors_[slot] != kGone; }

    void clear() { begin_ = end_ = size_ = 0; }

    // Puts `job` behind those of a lower rank. O(1) in order of rank.
    void insert(JobId job, JobId rank, ProcCount processors, Duration length);

    // `slot` holds a job.
    void erase(std::size_t slot);

    // The slot of a job it holds.
    std::size_t find(JobId job) const;

    void set_length(std::size_t slot, Duration length) {
        lengths_[slot] = backfill::biased(length);
    }

    // The first slot at or after `from` with a job there is room for, or end().
    std::size_t next(std::size_t from, const BackfillBounds& bounds) const;

  private:
    static constexpr std::size_t kSlots = 2 * kMost;
    static constexpr ProcCount kGone = 0x7FFFFFFF; // no machine has so many processors free

    void compact();

    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t size_ = 0;
    alignas(16) std::array<ProcCount, kSlots> processors_{}; // kGone where the job has left
    alignas(16) std::array<std::int32_t, kSlots> lengths_{}; // biased
    std::array<JobId, kSlots> jobs_{};
    std::array<JobId, kSlots> ranks_{};
};

} // namespace slotwise
