// Waiting jobs of one pool line, in the order in which they are tried.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/queue_ranking.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Jobs are sorted by key, in columns that are compared sixteen at a time. A job that leaves becomes
// a gap until tidy(), so that positions stay valid while the line is traversed.
//
// Example: jobs of (processors, length) 4×10, 2×50, 1×99 wait. If 3 processors are free for 20 s
// and 1 for longer, next(0) is the position of the third job.
class PoolQueue {
  public:
    using Key = QueueRanking::Key;
    using Position = std::size_t;
    struct Entry {
        Key key;
        JobId job;
        ProcCount processors;
        Duration length; // estimated; 0 if the estimate may change
    };

    bool empty() const { return n_waiting_ == 0; }
    Position end() const { return jobs_.size(); }
    JobId job(Position place) const { return jobs_[place]; }

    // O(length) unless the job comes last.
    void insert(const Entry& entry);

    // Removes the waiting job with this key.
    void erase(const Key& key);

    // Closes the gaps once there are many.
    void tidy() {
        if (n_waiting_ + kFewGaps <= keys_.size() / 2) close_gaps();
    }

    // Estimated length of the job; 0 if the estimate may change.
    Duration length(Position place) const {
        return static_cast<Duration>(lengths_[place]) ^ 0x80000000U;
    }

    // First position at or after `from` of a job that is within `bounds` and satisfies
    // wanted(position), or end().
    template <class Wanted>
    Position next(Position from, const BackfillBounds& bounds, Wanted&& wanted) const {
        if (n_waiting_ == 0) return end();
        for (Position group = from / backfill::kGroup * backfill::kGroup; group < end();
             group += backfill::kGroup) {
            unsigned found = backfill::fitting(&processors_[group], &lengths_[group], bounds);
            if (group < from) found &= ~0U << (from - group);
            for (; found != 0; found &= found - 1) {
                const Position place = group + static_cast<Position>(std::countr_zero(found));
                if (wanted(place)) return place;
            }
        }
        return end();
    }

    Position next(Position from, const BackfillBounds& bounds) const {
        return next(from, bounds, [](Position) { return true; });
    }

    // Calls visit(job) for every job in [from, to) that is within `bounds`.
    template <class Visitor>
    void for_each(Position from, Position to, const BackfillBounds& bounds, Visitor&& visit) const {
        for (Position group = from / backfill::kGroup * backfill::kGroup; group < to;
             group += backfill::kGroup) {
            unsigned found = backfill::fitting(&processors_[group], &lengths_[group], bounds);
            if (group < from) found &= ~0U << (from - group);
            if (to - group < backfill::kGroup) found &= (1U << (to - group)) - 1;
            for (; found != 0; found &= found - 1)
                visit(jobs_[group + static_cast<Position>(std::countr_zero(found))]);
        }
    }

    // Bounds that admit every job of at most `processors`.
    static BackfillBounds any(ProcCount processors) {
        return {processors, kMaxDuration, processors};
    }

    // Jobs of one group are adjacent; their keys differ only in rank.
    const Key& key(Position place) const { return keys_[place]; }
    Position end_of_group(Position place) const;

  private:
    static constexpr std::size_t kFewGaps = 64;

    void close_gaps();
    static std::size_t padded(std::size_t n) {
        return (n + backfill::kGroup - 1) / backfill::kGroup * backfill::kGroup;
    }

    std::vector<Key> keys_;
    std::vector<JobId> jobs_;
    // By position, padded to whole groups of sixteen.
    std::vector<ProcCount> processors_; // kGap: no job waits here
    std::vector<std::int32_t> lengths_; // biased
    std::size_t n_waiting_ = 0;
};

} // namespace slotwise
