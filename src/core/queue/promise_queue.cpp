#include "queue/promise_queue.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

template <class Values, class Value>
void insert_promise(Values& values, std::size_t index, const Value& value) {
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(index), value);
}

template <class Values> void erase_at(Values& values, std::size_t index) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

} // namespace

void PromiseQueue::put(Block& block, std::uint32_t index, const Promise& promise) {
    block.processors[index] = promise.processors;
    block.duration[index] = promise.duration;
    block.start[index] = promise.start;
    block.coarse_duration[index] = coarse_time(promise.duration);
    block.coarse_start[index] = coarse_time(promise.start - base_);
    block.rank[index] = promise.rank;
    block.job[index] = promise.job;
}

std::size_t PromiseQueue::new_block(std::size_t index) {
    std::uint32_t slot;
    if (spare_.empty()) {
        slot = static_cast<std::uint32_t>(blocks_.size());
        blocks_.emplace_back();
    } else {
        slot = spare_.back();
        spare_.pop_back();
    }
    blocks_[slot].count = 0;
    insert_promise(slot_, index, slot);
    insert_promise(first_rank_, index, std::uint32_t{0});
    insert_promise(narrowest_, index, ProcCount{0});
    insert_promise(first_start_, index, kNever);
    return index;
}

void PromiseQueue::drop(std::size_t block) {
    spare_.push_back(slot_[block]);
    erase_at(slot_, block);
    erase_at(first_rank_, block);
    erase_at(narrowest_, block);
    erase_at(first_start_, block);
}

void PromiseQueue::refresh(std::size_t block) {
    const Block& b = at(block);
    first_rank_[block] = b.rank[0];
    ProcCount narrowest = b.processors[0];
    Time first_start = b.start[0];
    for (std::uint32_t i = 1; i < b.count; ++i) {
        narrowest = std::min(narrowest, b.processors[i]);
        first_start = std::min(first_start, b.start[i]);
    }
    narrowest_[block] = narrowest;
    first_start_[block] = first_start;
}

void PromiseQueue::copy(const Block& source, std::uint32_t from, std::uint32_t to, Block& target,
                        std::uint32_t at) {
    const auto column = [&](const auto& values, auto& into) {
        std::copy(values.begin() + from, values.begin() + to, into.begin() + at);
    };
    column(source.processors, target.processors);
    column(source.duration, target.duration);
    column(source.coarse_duration, target.coarse_duration);
    column(source.coarse_start, target.coarse_start);
    column(source.start, target.start);
    column(source.rank, target.rank);
    column(source.job, target.job);
}

void PromiseQueue::split(std::size_t block) {
    new_block(block + 1);
    Block& from = at(block);
    Block& to = at(block + 1);
    const std::uint32_t keep = from.count / 2;
    copy(from, keep, from.count, to, 0);
    to.count = from.count - keep;
    from.count = keep;
    refresh(block);
    refresh(block + 1);
}

// Joins a block to its predecessor if both easily fit into one block. One comparison costs the same
// for a few promises as for sixteen.
bool PromiseQueue::join_to_previous_if_small(std::size_t block) {
    if (block == 0) return false;
    const Block& from = at(block);
    Block& to = at(block - 1);
    if (to.count + from.count > kLanes * 3 / 4) return false;
    copy(from, 0, from.count, to, to.count);
    to.count += from.count;
    drop(block);
    refresh(block - 1);
    return true;
}

void PromiseQueue::insert(const Promise& promise) {
    ++size_;
    const auto after = std::upper_bound(first_rank_.begin(), first_rank_.end(), promise.rank);
    std::size_t block = static_cast<std::size_t>(after - first_rank_.begin());
    if (block > 0) --block;
    if (slot_.empty()) {
        new_block(0);
    } else if (at(block).count == kLanes) {
        if (block + 1 == slot_.size() && at(block).rank[kLanes - 1] < promise.rank) {
            block = new_block(block + 1);
        } else {
            split(block);
            if (first_rank_[block + 1] < promise.rank) ++block;
        }
    }
    Block& b = at(block);
    const std::uint32_t* ranks = b.rank.data();
    const auto index =
        static_cast<std::uint32_t>(std::upper_bound(ranks, ranks + b.count, promise.rank) - ranks);
    insert_lane(b.processors.data(), b.count, index, promise.processors);
    insert_lane(b.duration.data(), b.count, index, promise.duration);
    insert_lane(b.coarse_duration.data(), b.count, index, std::int32_t{0});
    insert_lane(b.coarse_start.data(), b.count, index, std::int32_t{0});
    insert_lane(b.start.data(), b.count, index, promise.start);
    insert_lane(b.rank.data(), b.count, index, promise.rank);
    insert_lane(b.job.data(), b.count, index, promise.job);
    put(b, index, promise);
    first_rank_[block] = b.rank[0];
    narrowest_[block] =
        b.count == 0 ? promise.processors : std::min(narrowest_[block], promise.processors);
    first_start_[block] = std::min(first_start_[block], promise.start);
    ++b.count;
}

void PromiseQueue::set_start(Position p, Time start) {
    Block& b = at(p.block);
    const bool was_first = b.start[p.index] == first_start_[p.block];
    b.start[p.index] = start;
    b.coarse_start[p.index] = coarse_time(start - base_);
    if (start <= first_start_[p.block])
        first_start_[p.block] = start;
    else if (was_first)
        refresh(p.block);
}

void PromiseQueue::add_gaining(std::size_t block, std::uint32_t first,
                               std::span<const StretchBounds> openings, GainingJobs& lanes) const {
    const Block& b = at(block);
    const ProcCount narrowest = narrowest_[block];
    for (const StretchBounds& opening : openings)
        if (narrowest <= opening.up_to_width)
            add_lanes_within(b.processors.data(), b.coarse_duration.data(), b.coarse_start.data(),
                             first, b.count, opening, lanes);
}

std::uint64_t PromiseQueue::before(std::size_t block, Time to) const {
    const Block& b = at(block);
    std::uint64_t lanes = 0;
    for (std::uint32_t i = 0; i < b.count; ++i)
        lanes |= static_cast<std::uint64_t>(b.start[i] < to) << i;
    return lanes;
}

bool PromiseQueue::remove(std::size_t block, std::uint64_t lanes) {
    assert(lanes != 0);
    Block& b = at(block);
    auto kept = static_cast<std::uint32_t>(std::countr_zero(lanes));
    while (lanes != 0) {
        const auto next = static_cast<std::uint32_t>(std::countr_zero(lanes)) + 1;
        lanes &= lanes - 1;
        const std::uint32_t end =
            lanes != 0 ? static_cast<std::uint32_t>(std::countr_zero(lanes)) : b.count;
        copy(b, next, end, b, kept);
        kept += end - next;
    }
    size_ -= b.count - kept;
    b.count = kept;
    if (kept == 0) {
        drop(block);
        return true;
    }
    if (join_to_previous_if_small(block)) return true;
    refresh(block);
    return false;
}

PromiseQueue::Position PromiseQueue::find(JobId job) const {
    for (std::size_t block = 0; block < n_blocks(); ++block) {
        const Block& b = at(block);
        for (std::uint32_t i = 0; i < b.count; ++i)
            if (b.job[i] == job) return {block, i};
    }
    throw std::logic_error("job " + std::to_string(job) + " has no promise");
}

PromiseQueue::Position PromiseQueue::find_ranked(std::uint32_t rank) const {
    const auto after = std::upper_bound(first_rank_.begin(), first_rank_.end(), rank);
    const auto block = static_cast<std::size_t>(after - first_rank_.begin()) - 1;
    const Block& b = at(block);
    const std::uint32_t* ranks = b.rank.data();
    const std::uint32_t* found = std::lower_bound(ranks, ranks + b.count, rank);
    assert(found < ranks + b.count && *found == rank);
    return {block, static_cast<std::uint32_t>(found - ranks)};
}

Time PromiseQueue::first_start() const {
    Time first = kNever;
    for (const Time t : first_start_)
        first = std::min(first, t);
    return first;
}

void PromiseQueue::list_jobs(std::vector<JobId>& jobs) const {
    jobs.clear();
    for (const std::uint32_t slot : slot_) {
        const Block& b = blocks_[slot];
        jobs.insert(jobs.end(), b.job.begin(), b.job.begin() + b.count);
    }
}

void PromiseQueue::reorder(const std::vector<JobId>& jobs) {
    sorting_.clear();
    for (std::size_t b = 0; b < slot_.size(); ++b)
        for (std::uint32_t i = 0; i < at(b).count; ++i)
            sorting_.push_back(get({b, i}));
    const auto by_job = [](const Promise& a, const Promise& b) { return a.job < b.job; };
    std::sort(sorting_.begin(), sorting_.end(), by_job);
    while (!slot_.empty())
        drop(slot_.size() - 1);
    size_ = 0;
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
        Promise wanted{};
        wanted.job = jobs[rank];
        Promise& p = *std::lower_bound(sorting_.begin(), sorting_.end(), wanted, by_job);
        p.rank = static_cast<std::uint32_t>(rank);
        insert(p);
    }
}

} // namespace slotwise
