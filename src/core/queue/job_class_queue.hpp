// A queue, sorted by rank and stored as rows of one job class each. A search examines only the
// fronts, sixteen rows at a time. This is fast because even long queues mostly contain few classes.
//
// Example: A (8 processors, 1 h), B (2, 1 h), C (8, 1 h) and D (2, 1 h) wait in this order. The
// rows are A C and B D. With 4 processors free, only the front of the second row fits. This is B at
// first, and D once B has started.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "containers/block_column.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class JobClassQueue {
  public:
    // Ranks must be below `n_ranks`, which is at most SixteenMinima::kMostRanks.
    explicit JobClassQueue(std::size_t n_ranks) : behind_(n_ranks, kNoJob) {}

    std::size_t rows() const { return size_; }

    void clear();

    // Inserts a waiting job. If the job ranks before the last job of its class, returns false and
    // changes nothing.
    bool insert(JobId rank, ProcCount processors, Duration length);

    // Removes a waiting job. The values must be the same as when it was inserted.
    void erase(JobId rank, ProcCount processors, Duration length);

    // Returns the first group of sixteen rows that may contain a job within `bounds`, or end() if
    // there is none.
    std::size_t first_group(const BackfillBounds& bounds) const;
    std::size_t end() const { return size_; }

    // Returns the smallest rank of a job within `bounds` in this or any later group, or kNoJob if
    // there is none.
    JobId first(std::size_t group, const BackfillBounds& bounds) const;

  private:
    using Row = std::uint32_t;
    static constexpr Row kNone = ~Row{0};

    JobId taken_out(JobId rank);
    Row row_of(ProcCount processors, Duration length);
    void open(JobId rank, ProcCount processors, Duration length);
    void close(Row row);
    bool is_of_class(Row row, ProcCount processors, Duration length) const {
        return row < size_ && processors_[row] == processors &&
               lengths_[row] == backfill::biased(length);
    }
    unsigned fitting(std::size_t group, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[group], &lengths_[group], bounds);
    }

    // The following arrays are indexed by row. The last group is padded with rows that are
    // never within any bounds.
    std::size_t size_ = 0;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased lengths
    std::vector<SixteenMinima::Value> front_;
    std::vector<JobId> back_;

    BlockColumn<JobId> behind_;    // indexed by rank: the next job of its class, or kNoJob
    std::array<Row, 1024> hint_{}; // indexed by hash of processors and length: the likely row
};

} // namespace slotwise
