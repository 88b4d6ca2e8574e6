#include "queue/job_class_queue.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kNoneFit = std::numeric_limits<ProcCount>::max();

} // namespace

void JobClassQueue::clear() {
    for (std::size_t row = 0; row < size_; ++row) {
        processors_[row] = kNoneFit;
        for (JobId rank = SixteenMinima::rank_of(front_[row]); rank != kNoJob;)
            rank = taken_out(rank);
    }
    size_ = 0;
}

// Removes the link from `rank` to the next job of its class, and returns that job.
JobId JobClassQueue::taken_out(JobId rank) {
    const JobId next = behind_[rank];
    if (next != kNoJob) behind_.set(rank, kNoJob);
    return next;
}

bool JobClassQueue::insert(JobId rank, ProcCount processors, Duration length) {
    const Row row = row_of(processors, length);
    if (row == kNone) {
        open(rank, processors, length);
        return true;
    }
    if (rank < back_[row]) return false;
    behind_.set(back_[row], rank);
    back_[row] = rank;
    return true;
}

void JobClassQueue::erase(JobId rank, ProcCount processors, Duration length) {
    const Row row = row_of(processors, length);
    const JobId next = taken_out(rank);
    if (front_[row] == SixteenMinima::of(rank)) {
        next == kNoJob ? close(row) : void(front_[row] = SixteenMinima::of(next));
        return;
    }
    JobId before = SixteenMinima::rank_of(front_[row]);
    while (behind_[before] != rank)
        before = behind_[before];
    behind_.set(before, next);
    if (back_[row] == rank) back_[row] = before;
}

std::size_t JobClassQueue::first_group(const BackfillBounds& bounds) const {
    std::size_t group = 0;
    while (group < size_ && fitting(group, bounds) == 0)
        group += backfill::kGroup;
    return std::min(group, size_);
}

JobId JobClassQueue::first(std::size_t group, const BackfillBounds& bounds) const {
    SixteenMinima least;
    for (; group < size_; group += backfill::kGroup)
        least.take_smaller(&front_[group], &processors_[group], &lengths_[group], bounds);
    return SixteenMinima::rank_of(least.smallest());
}

JobClassQueue::Row JobClassQueue::row_of(ProcCount processors, Duration length) {
    const std::uint32_t mixed =
        (static_cast<std::uint32_t>(processors) * 0x85EBCA6BU + length) * 0x9E3779B1U;
    Row& hint = hint_[mixed >> 22];
    if (is_of_class(hint, processors, length)) return hint;
    for (std::size_t group = 0; group < size_; group += backfill::kGroup) {
        const unsigned found = backfill::matching(&processors_[group], &lengths_[group], processors,
                                                  backfill::biased(length));
        if (found != 0)
            return hint = static_cast<Row>(group) + static_cast<Row>(std::countr_zero(found));
    }
    hint = static_cast<Row>(size_); // the row that open() would add
    return kNone;
}

void JobClassQueue::open(JobId rank, ProcCount processors, Duration length) {
    if (size_ == processors_.size()) {
        processors_.resize(size_ + backfill::kGroup, kNoneFit);
        lengths_.resize(size_ + backfill::kGroup);
        front_.resize(size_ + backfill::kGroup);
        back_.resize(size_ + backfill::kGroup);
    }
    processors_[size_] = processors;
    lengths_[size_] = backfill::biased(length);
    front_[size_] = SixteenMinima::of(rank);
    back_[size_] = rank;
    ++size_;
}

// Moves the last row to the place of the closed one.
void JobClassQueue::close(Row row) {
    const Row last = static_cast<Row>(--size_);
    processors_[row] = processors_[last];
    lengths_[row] = lengths_[last];
    front_[row] = front_[last];
    back_[row] = back_[last];
    processors_[last] = kNoneFit;
}

} // namespace slotwise
