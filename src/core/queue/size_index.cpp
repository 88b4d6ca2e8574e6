#include "queue/size_index.hpp"

#include <algorithm>

namespace slotwise {

using min_tree_node::kEmpty;
using min_tree_node::kFanout;
using min_tree_node::kShift;

SizeIndex::SizeIndex(std::span<const ProcCount> processors, std::span<const JobId> rank)
    : processors_(processors), in_arrival_order_(rank.empty()), sizes_(processors),
      shortest_(sizes_.count()) {
    lay_out(rank);
}

void SizeIndex::insert(JobId job, Duration length) {
    const Size size = size_of(job);
    SizeBlock& block = blocks_[size];
    const Position place = place_of_[job];
    if (block.waiting++ == 0) {
        block.low = place;
        block.high = place + 1;
    } else {
        block.low = std::min(block.low, place);
        block.high = std::max(block.high, place + 1);
        if (nodes_between(block, block.height) > kFanout) {
            tighten(size);
            raise(block);
        }
    }
    std::size_t at = place - block.begin;
    level_of(block, 0)[at] = length;
    for (std::size_t k = 1; k <= block.height; ++k) {
        Duration& node = level_of(block, k)[at >> (kShift * k)];
        if (node <= length) break;
        node = length;
    }
    if (length < shortest_[size]) shortest_.set(size, length);
    Floor& floor = floors_[size];
    if (place < floor.place && length <= floor.longest) {
        floor.place = place;
        floor.job = job;
    }
}

void SizeIndex::erase(JobId job) {
    const Size size = size_of(job);
    SizeBlock& block = blocks_[size];
    const Position place = place_of_[job];
    const std::size_t at = place - block.begin;
    const Duration length = level_of(block, 0)[at];
    level_of(block, 0)[at] = kEmpty;
    for (std::size_t k = 1; k <= block.height; ++k) {
        const std::size_t node = at >> (kShift * k);
        if (level_of(block, k)[node] != length) break;
        const Duration least = min_tree_node::minimum(level_of(block, k - 1) + (node << kShift));
        if (least == length) break;
        level_of(block, k)[node] = least;
    }
    if (--block.waiting == 0) {
        shortest_.set(size, kEmpty);
        if (in_arrival_order_) block.height = 1;
    }
    if (++block.erasures % kErasuresPerTightening == 0 && block.height > 1) tighten(size);
}

SizeIndex::Size SizeIndex::first_size(Size from, Size to, Duration longest) {
    while ((from = static_cast<Size>(shortest_.first(from, to, longest))) < to) {
        const Duration shortest = shortest_in(blocks_[from]);
        if (shortest <= longest) break;
        shortest_.set(from, shortest);
    }
    return from;
}

SizeIndex::Position SizeIndex::first_of(Size size, Duration longest) {
    Floor& floor = floors_[size];
    const Position from = longest <= floor.longest ? floor.place : 0;
    const Position place = first_in_size(size, from, longest);
    if (place == kNoPosition)
        shortest_.set(size, shortest_in(blocks_[size]));
    else
        floor = {place, job_at_[place], longest};
    return place;
}

SizeIndex::Position SizeIndex::first_in_size(Size size, Position from, Duration longest) const {
    const SizeBlock& block = blocks_[size];
    if (block.waiting == 0 || from >= block.high) return kNoPosition;
    const std::size_t end = block.high - block.begin;
    std::size_t at = std::max(from, block.low) - block.begin;
    std::size_t level = 0;
    for (;; ++level) {
        const std::size_t level_end = ((end - 1) >> (kShift * level)) + 1;
        const bool top = level == block.height;
        const std::size_t stop =
            top ? level_end : std::min(level_end, (at >> kShift << kShift) + kFanout);
        const std::size_t found = min_tree_node::first(level_of(block, level), at, stop, longest);
        if (found < stop) {
            at = found;
            break;
        }
        if (top) return kNoPosition;
        at = (at >> kShift) + 1;
        if (at > (end - 1) >> (kShift * (level + 1))) return kNoPosition;
    }
    while (level-- > 0) {
        at <<= kShift;
        at += static_cast<std::size_t>(
            std::countr_zero(min_tree_node::at_most(level_of(block, level) + at, longest)));
    }
    return block.begin + static_cast<Position>(at);
}

// Returns the number of nodes of `level` that the window spans.
std::size_t SizeIndex::nodes_between(const SizeBlock& block, std::size_t level) const {
    const std::size_t low = (block.low - block.begin) >> (kShift * level);
    const std::size_t last = (block.high - 1 - block.begin) >> (kShift * level);
    return last - low + 1;
}

// Moves the start of the window to its first job, and drops levels that are no longer needed.
void SizeIndex::tighten(Size size) {
    SizeBlock& block = blocks_[size];
    if (!in_arrival_order_ || block.waiting == 0) return;
    const Position first = first_in_size(size, block.low, kAnyLength);
    if (first != kNoPosition) block.low = first;
    while (block.height > 1 && nodes_between(block, block.height - 1) <= kFanout / 2)
        lower(block);
}

// Adds levels until the window spans at most sixteen nodes of the highest level.
void SizeIndex::raise(SizeBlock& block) {
    while (nodes_between(block, block.height) > kFanout) {
        const Duration* below = level_of(block, block.height);
        ++block.height;
        Duration* nodes = level_of(block, block.height);
        const unsigned shift = kShift * block.height;
        const std::size_t last = (block.high - 1 - block.begin) >> shift;
        for (std::size_t i = (block.low - block.begin) >> shift; i <= last; ++i)
            nodes[i] = min_tree_node::minimum(below + (i << kShift));
    }
}

// Drops the highest level.
void SizeIndex::lower(SizeBlock& block) {
    const unsigned shift = kShift * block.height;
    Duration* nodes = level_of(block, block.height);
    const std::size_t last = (block.high - 1 - block.begin) >> shift;
    for (std::size_t i = (block.low - block.begin) >> shift; i <= last; ++i)
        nodes[i] = kEmpty;
    --block.height;
}

Duration SizeIndex::shortest_in(const SizeBlock& block) const {
    if (block.waiting == 0) return kEmpty;
    const unsigned shift = kShift * block.height;
    const Duration* nodes = level_of(block, block.height);
    Duration least = kEmpty;
    const std::size_t last = (block.high - 1 - block.begin) >> shift;
    for (std::size_t i = (block.low - block.begin) >> shift; i <= last; ++i)
        least = std::min(least, nodes[i]);
    return least;
}

// Assigns a position to every job, and levels to every size.
void SizeIndex::lay_out(std::span<const JobId> rank) {
    const std::size_t n = processors_.size();
    std::vector<std::uint32_t> jobs_of_size(sizes_.count(), 0);
    for (const ProcCount p : processors_)
        ++jobs_of_size[sizes_.place_of(p)];
    blocks_.resize(sizes_.count());
    floors_.resize(sizes_.count());
    std::vector<std::size_t> totals(kLevels, 0);
    for (std::size_t size = 0; size < sizes_.count(); ++size) {
        SizeBlock& block = blocks_[size];
        std::size_t width = jobs_of_size[size];
        for (std::size_t k = 0;; ++k) {
            const std::size_t nodes = (width + kFanout - 1) / kFanout;
            block.base[k] = static_cast<std::uint32_t>(totals[k]);
            totals[k] += nodes * kFanout;
            if (k > 0 && width <= kFanout) {
                if (!in_arrival_order_) block.height = static_cast<std::uint32_t>(k);
                break;
            }
            width = nodes;
        }
        block.begin = block.base[0];
    }
    for (const std::size_t total : totals)
        nodes_.emplace_back(total + kFanout, kEmpty);
    std::vector<JobId> by_rank(rank.size());
    for (std::size_t job = 0; job < rank.size(); ++job)
        by_rank[rank[job]] = static_cast<JobId>(job);
    place_of_.resize(n);
    job_at_.resize(totals[0]);
    std::vector<Position> next(sizes_.count());
    for (std::size_t size = 0; size < sizes_.count(); ++size)
        next[size] = blocks_[size].begin;
    for (std::size_t i = 0; i < n; ++i) {
        const JobId job = by_rank.empty() ? static_cast<JobId>(i) : by_rank[i];
        const Position place = next[size_of(job)]++;
        place_of_[job] = place;
        job_at_[place] = job;
    }
    for (std::size_t size = 0; size < sizes_.count(); ++size)
        floors_[size] = {blocks_[size].begin, job_at_[blocks_[size].begin], kAnyLength};
}

} // namespace slotwise
