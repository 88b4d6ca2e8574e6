// A queue in order as rows of jobs alike in processors and length. Of a row only the front is
// looked at, sixteen rows at a time: however long the queue, there are few kinds of jobs in most.
//
// Example, waiting in order: A (8 processors, 1 h), B (2, 1 h), C (8, 1 h), D (2, 1 h). The rows
// are A C and B D. Where 4 processors are free only the front of the second fits: B, and D after
// it.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class JobClassQueue {
  public:
    // For ranks below `n_ranks`, at most SixteenMinima::kMostRanks.
    explicit JobClassQueue(std::size_t n_ranks) : behind_(n_ranks, kNoJob) {}

    std::size_t rows() const { return size_; }

    void clear();

    // False, and nothing is changed, where `rank` precedes the last of those alike.
    bool insert(JobId rank, ProcCount processors, Duration length);

    // Takes out a job that waits here, given what it was inserted with.
    void erase(JobId rank, ProcCount processors, Duration length);

    // Rows are looked at in groups of sixteen: the first group with room for any, or end().
    std::size_t first_group(const BackfillBounds& bounds) const;
    std::size_t end() const { return size_; }

    // The least rank of those there is room for from a group on, or kNoJob.
    JobId first(std::size_t group, const BackfillBounds& bounds) const;

  private:
    using Row = std::uint32_t;
    static constexpr Row kNone = ~Row{0};

    Row row_of(ProcCount processors, Duration length);
    void open(JobId rank, ProcCount processors, Duration length);
    void close(Row row);
    bool is_alike(Row row, ProcCount processors, Duration length) const {
        return row < size_ && processors_[row] == processors &&
               lengths_[row] == backfill::biased(length);
    }
    unsigned fitting(std::size_t group, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[group], &lengths_[group], bounds);
    }

    // By row; behind the last up to a whole group of rows without room for anything.
    std::size_t size_ = 0;
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased
    std::vector<SixteenMinima::Value> front_;
    std::vector<JobId> back_;

    std::vector<JobId> behind_;    // by rank: the next alike, or kNoJob
    std::array<Row, 1024> hint_{}; // by a hash of processors and length: the row, maybe
};

} // namespace slotwise
