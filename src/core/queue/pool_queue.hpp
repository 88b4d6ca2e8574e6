// A list of waiting jobs, in the order in which they are tried in a pool.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/queue_ranking.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Jobs are sorted by key, in columns that are compared sixteen elements at a time. A job that
// leaves becomes a gap until the next tidy(), so that positions remain valid while the list is
// traversed.
//
// Example: the waiting jobs, as processors × length, are 4×10, 2×50 and 1×99. If 3 processors are
// free for 20 s and 1 processor for longer, next(0) returns the position of the third job.
class PoolQueue {
  public:
    using Key = QueueRanking::Key;
    using Position = std::size_t;
    struct Entry {
        Key key;
        JobId job;
        ProcCount processors;
        Duration length; // estimated length; 0 if the estimate may change
    };

    bool empty() const { return n_waiting_ == 0; }
    Position end() const { return jobs_.size(); }
    JobId job(Position place) const { return jobs_[place]; }

    // Inserts a waiting job, unless it is already in the queue. Takes O(n) time in a queue of n
    // jobs, unless the job comes last.
    void insert(const Entry& entry);

    // Removes the waiting job with this key, if there is one.
    void erase(const Key& key);

    // Closes the gaps if there are many.
    void tidy() {
        if (n_waiting_ + kFewGaps <= keys_.size() / 2 || (n_waiting_ == 0 && !keys_.empty()))
            close_gaps();
    }

    // Returns the estimated length of the job, or 0 if the estimate may change.
    Duration length(Position place) const {
        return static_cast<Duration>(lengths_[place]) ^ 0x80000000U;
    }

    // Returns the first position at or after `from` whose job is within `bounds` and satisfies
    // wanted(position), or end() if there is none.
    template <class Wanted>
    Position next(Position from, const BackfillBounds& bounds, Wanted&& wanted) const {
        if (n_waiting_ == 0) return end();
        from = std::max(from, first_);
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
        from = std::max(from, first_);
        for (Position group = from / backfill::kGroup * backfill::kGroup; group < to;
             group += backfill::kGroup) {
            unsigned found = backfill::fitting(&processors_[group], &lengths_[group], bounds);
            if (group < from) found &= ~0U << (from - group);
            if (to - group < backfill::kGroup) found &= (1U << (to - group)) - 1;
            for (; found != 0; found &= found - 1)
                visit(jobs_[group + static_cast<Position>(std::countr_zero(found))]);
        }
    }

    // Returns bounds that admit every job on at most `processors` processors.
    static BackfillBounds any(ProcCount processors) {
        return {processors, kMaxDuration, processors};
    }

    // Returns the key of a job. Jobs of one group are adjacent, and their keys differ only in rank.
    const Key& key(Position place) const { return keys_[place]; }
    Position end_of_group(Position place) const;

  private:
    static constexpr std::size_t kFewGaps = 8;

    void close_gaps();
    void open_at(Position place);
    Position place_of(const Key& key) const;
    static std::size_t padded(std::size_t n) {
        return (n + backfill::kGroup - 1) / backfill::kGroup * backfill::kGroup;
    }

    std::vector<Key> keys_;
    std::vector<JobId> jobs_;
    // The following arrays are indexed by position, and padded to whole groups of sixteen.
    std::vector<ProcCount> processors_; // kGap if no job is waiting here
    std::vector<std::int32_t> lengths_; // biased lengths
    std::size_t n_waiting_ = 0;
    Position first_ = 0; // all positions before this one are gaps
};

} // namespace slotwise
