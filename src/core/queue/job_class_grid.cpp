#include "queue/job_class_grid.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

constexpr std::size_t kBlock = 16; // number of lengths that share one stored minimum
constexpr std::size_t kMostLengths = 1024;
constexpr std::size_t kGridFanout = 8; // number of lines that one line of the next level summarises
constexpr std::size_t kMostPerJob = 16; // largest number of grid cells per job

std::size_t rounded_up(std::size_t n) {
    return (n + kBlock - 1) / kBlock * kBlock;
}

SixteenMinima::Value smallest(const SixteenMinima::Value* values, std::size_t n) {
    SixteenMinima found;
    for (std::size_t i = 0; i < n; i += kBlock)
        found.take_smaller(values + i);
    return found.smallest();
}

void sort_distinct(std::vector<Duration>& lengths) {
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
}

// Returns the distinct lengths, ascending. If there are more than kMostLengths, may return only
// some of them, but always more than kMostLengths.
std::vector<Duration> distinct(std::span<const Duration> lengths) {
    constexpr std::size_t kLetThrough = 64 * kMostLengths;
    std::vector<Duration> seen(4 * kMostLengths, kMaxDuration + 1);
    std::vector<Duration> found; // may contain a length more than once
    for (const Duration length : lengths) {
        Duration& last = seen[(length * 0x9E3779B1U) >> 20];
        if (last == length) continue;
        last = length;
        found.push_back(length);
        if (found.size() < kLetThrough) continue;
        sort_distinct(found);
        if (found.size() > kMostLengths) return found;
    }
    sort_distinct(found);
    return found;
}

} // namespace

JobClassGrid::JobClassGrid(std::span<const ProcCount> processors, std::span<const Duration> lengths)
    : sizes_(processors), lengths_(distinct(lengths)), hints_(kMostLengths) {
    const std::size_t n = processors.size();
    if (lengths_.size() > kMostLengths || n > SixteenMinima::kMostRanks) return;
    const std::size_t sizes = sizes_.count();
    width_ = rounded_up(lengths_.size());
    blocks_ = rounded_up(width_ / kBlock);
    if (sizes * (blocks_ + width_) > kMostPerJob * n) return;
    back_.resize(sizes * width_);
    behind_ = BlockColumn<JobId>(n, kNoJob);
    Block empty;
    empty.ranks.fill(kNone);
    for (std::size_t lines = sizes;; lines = (lines + kGridFanout - 1) / kGridFanout) {
        const std::size_t whole = (lines + kGridFanout - 1) / kGridFanout * kGridFanout;
        levels_.push_back({std::vector<Block>(whole * (blocks_ + width_) / kBlock, empty),
                           std::vector<Rank>(whole, kNone)});
        if (lines == 1) break;
    }
}

bool JobClassGrid::insert(JobId rank, ProcCount processors, Duration length) {
    const std::size_t size = sizes_.place_of(processors);
    const std::size_t at = length_at(length);
    JobId& back = back_[size * width_ + at];
    if (levels_[0].lines()[size * (blocks_ + width_) + blocks_ + at] == kNone) {
        back = rank;
        set_front(size, at, SixteenMinima::of(rank));
        return true;
    }
    if (rank < back) return false;
    behind_.set(back, rank);
    back = rank;
    return true;
}

void JobClassGrid::erase(JobId rank, ProcCount processors, Duration length) {
    const std::size_t size = sizes_.place_of(processors);
    const std::size_t at = length_at(length);
    const JobId next = behind_[rank];
    if (next != kNoJob) behind_.set(rank, kNoJob);
    const Rank front = levels_[0].lines()[size * (blocks_ + width_) + blocks_ + at];
    JobId before = SixteenMinima::rank_of(front);
    if (before == rank) {
        set_front(size, at, next == kNoJob ? kNone : SixteenMinima::of(next));
        return;
    }
    while (behind_[before] != rank)
        before = behind_[before];
    behind_.set(before, next);
    if (next == kNoJob) back_[size * width_ + at] = before;
}

JobId JobClassGrid::first(const BackfillBounds& bounds) const {
    const std::size_t sizes = sizes_.up_to(bounds.free);
    const std::size_t spare_sizes = sizes_.up_to(std::min(bounds.free, bounds.extra));
    Rank found = least_of(spare_sizes);
    if (spare_sizes < sizes) {
        const std::size_t lengths = lengths_up_to(bounds.until_shadow);
        if (lengths > 0) found = std::min(found, least_of(sizes, lengths));
    }
    return SixteenMinima::rank_of(found);
}

// Returns the smallest rank among the first `sizes` sizes.
JobClassGrid::Rank JobClassGrid::least_of(std::size_t sizes) const {
    Rank found = kNone;
    for (std::size_t level = 0; sizes > 0; ++level, sizes /= kGridFanout)
        for (std::size_t at = sizes / kGridFanout * kGridFanout; at < sizes; ++at)
            found = std::min(found, levels_[level].least[at]);
    return found;
}

// Returns the smallest rank among the first `sizes` sizes and the first `lengths` lengths.
JobClassGrid::Rank JobClassGrid::least_of(std::size_t sizes, std::size_t lengths) const {
    const std::size_t whole = lengths / kBlock; // number of whole blocks of lengths
    const std::size_t left = lengths % kBlock;
    SixteenMinima blocks;
    SixteenMinima tail;
    Rank beyond = kNone;
    for (std::size_t level = 0; sizes > 0; ++level, sizes /= kGridFanout) {
        const Rank* lines = levels_[level].lines();
        for (std::size_t at = sizes / kGridFanout * kGridFanout; at < sizes; ++at) {
            const Rank* line = lines + at * (blocks_ + width_);
            blocks.take_smaller(line);
            tail.take_smaller(line + blocks_ + whole * kBlock);
            for (std::size_t i = kBlock; i < whole; ++i)
                beyond = std::min(beyond, line[i]);
        }
    }
    blocks.keep_first(std::min(whole, kBlock));
    tail.keep_first(left);
    blocks.take_smaller(tail);
    return std::min(blocks.smallest(), beyond);
}

void JobClassGrid::set_front(std::size_t size, std::size_t length, Rank rank) {
    const std::size_t stride = blocks_ + width_;
    set(levels_[0], size, length, rank);
    std::size_t at = size;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
        const Rank* below =
            &levels_[level - 1].lines()[at / kGridFanout * kGridFanout * stride + blocks_ + length];
        at /= kGridFanout;
        Rank least = kNone;
        for (std::size_t i = 0; i < kGridFanout; ++i)
            least = std::min(least, below[i * stride]);
        if (levels_[level].lines()[at * stride + blocks_ + length] == least) return;
        set(levels_[level], at, length, least);
    }
}

// Sets a cell, and updates the minima of its line.
void JobClassGrid::set(Level& level, std::size_t at, std::size_t length, Rank rank) {
    Rank* line = &level.lines()[at * (blocks_ + width_)];
    const Rank old = std::exchange(line[blocks_ + length], rank);
    Rank& block = line[length / kBlock];
    if (rank < block)
        block = rank;
    else if (block == old)
        block = smallest(line + blocks_ + length / kBlock * kBlock, kBlock);
    else
        return;
    Rank& least = level.least[at];
    if (rank < least)
        least = rank;
    else if (least == old)
        least = smallest(line, blocks_);
}

std::size_t JobClassGrid::lengths_up_to(Duration length) const {
    return static_cast<std::size_t>(std::upper_bound(lengths_.begin(), lengths_.end(), length) -
                                    lengths_.begin());
}

std::size_t JobClassGrid::length_at(Duration length) {
    std::uint32_t& hint = hints_[(length * 0x9E3779B1U) >> 22];
    if (lengths_[hint] != length) hint = static_cast<std::uint32_t>(lengths_up_to(length)) - 1;
    return hint;
}

} // namespace slotwise
