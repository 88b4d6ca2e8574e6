#include "queue/promise_queue.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>

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

void PromiseQueue::put(std::uint32_t slot, std::uint32_t index, PromiseId id) {
    const Promise& promise = of(id);
    Block& block = blocks_[slot];
    block.processors[index] = promise.processors;
    block.coarse_duration[index] = coarse_time(promise.duration);
    block.coarse_start[index] = coarse_time(promise.start - base_);
    block.id[index] = id;
    entry(id).place = {slot, index};
}

std::size_t PromiseQueue::new_block(std::size_t index) {
    std::uint32_t slot;
    if (spare_.empty()) {
        slot = static_cast<std::uint32_t>(blocks_.size());
        blocks_.emplace_back();
        marks_.emplace_back();
    } else {
        slot = spare_.back();
        spare_.pop_back();
    }
    blocks_[slot].count = 0;
    marks_[slot] = {};
    insert_promise(slot_, index, slot);
    insert_promise(first_rank_, index, std::uint32_t{0});
    insert_promise(narrowest_, index, ProcCount{0});
    insert_promise(shortest_, index, std::int32_t{0});
    insert_promise(first_start_, index, kNever);
    return index;
}

void PromiseQueue::drop(std::size_t block) {
    spare_.push_back(slot_[block]);
    erase_at(slot_, block);
    erase_at(first_rank_, block);
    erase_at(narrowest_, block);
    erase_at(shortest_, block);
    erase_at(first_start_, block);
}

void PromiseQueue::refresh(std::size_t block) {
    const Block& b = at(block);
    first_rank_[block] = of(b.id[0]).rank;
    ProcCount narrowest = b.processors[0];
    std::int32_t shortest = b.coarse_duration[0];
    Time first_start = of(b.id[0]).start;
    for (std::uint32_t i = 1; i < b.count; ++i) {
        narrowest = std::min(narrowest, b.processors[i]);
        shortest = std::min(shortest, b.coarse_duration[i]);
        first_start = std::min(first_start, of(b.id[i]).start);
    }
    narrowest_[block] = narrowest;
    shortest_[block] = shortest;
    first_start_[block] = first_start;
}

void PromiseQueue::shift(const Block& source, std::uint32_t from, std::uint32_t to,
                         std::uint32_t slot, std::uint32_t at) {
    Block& target = blocks_[slot];
    const auto column = [&](const auto& values, auto& into) {
        std::copy(values.begin() + from, values.begin() + to, into.begin() + at);
    };
    column(source.processors, target.processors);
    column(source.coarse_duration, target.coarse_duration);
    column(source.coarse_start, target.coarse_start);
    column(source.id, target.id);
    for (std::uint32_t i = at; i < at + to - from; ++i)
        entry(target.id[i]).place = {slot, i};
}

void PromiseQueue::split(std::size_t block) {
    new_block(block + 1);
    Block& from = at(block);
    const std::uint32_t keep = from.count / 2;
    shift(from, keep, from.count, slot_[block + 1], 0);
    at(block + 1).count = from.count - keep;
    from.count = keep;
    refresh(block);
    refresh(block + 1);
}

// Joins a block to its predecessor if both fit well into one, because one comparison costs the same
// for a few promises as for sixteen.
bool PromiseQueue::join_to_previous_if_small(std::size_t block) {
    if (block == 0) return false;
    const Block& from = at(block);
    Block& to = at(block - 1);
    if (to.count + from.count > kLanes * 3 / 4) return false;
    shift(from, 0, from.count, slot_[block - 1], to.count);
    to.count += from.count;
    drop(block);
    refresh(block - 1);
    return true;
}

PromiseId PromiseQueue::insert(const Promise& promise) {
    PromiseId id;
    if (spare_ids_.empty()) {
        id = static_cast<PromiseId>(promises_.size());
        promises_.push_back({promise, {}, {}});
    } else {
        id = spare_ids_.back();
        spare_ids_.pop_back();
        entry(id).promise = promise;
    }
    ++size_;
    enter(id);
    return id;
}

// Puts a promise into its block.
void PromiseQueue::enter(PromiseId id) {
    const Promise& promise = of(id);
    if (slot_.empty()) new_block(0);
    std::size_t block = block_of(promise.rank);
    if (at(block).count == kLanes) {
        if (block + 1 == slot_.size() && of(at(block).id[kLanes - 1]).rank < promise.rank) {
            block = new_block(block + 1);
        } else {
            split(block);
            if (first_rank_[block + 1] < promise.rank) ++block;
        }
    }
    Block& b = at(block);
    const std::uint32_t index = index_of(block, promise.rank);
    for (std::uint32_t i = b.count; i > index; --i)
        put(slot_[block], i, b.id[i - 1]);
    put(slot_[block], index, id);
    if (index == 0) first_rank_[block] = promise.rank;
    const bool is_first = b.count++ == 0;
    const std::int32_t duration = b.coarse_duration[index];
    narrowest_[block] =
        is_first ? promise.processors : std::min(narrowest_[block], promise.processors);
    shortest_[block] = is_first ? duration : std::min(shortest_[block], duration);
    first_start_[block] = std::min(first_start_[block], promise.start);
}

void PromiseQueue::set_start(Position p, Time start) {
    Block& b = at(p.block);
    const Time before = std::exchange(entry(b.id[p.index]).promise.start, start);
    b.coarse_start[p.index] = coarse_time(start - base_);
    if (start <= first_start_[p.block])
        first_start_[p.block] = start;
    else if (before == first_start_[p.block])
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

std::uint64_t PromiseQueue::within(std::size_t block, std::uint32_t first,
                                   const RoomBounds& bounds) const {
    if (narrowest_[block] > bounds.up_to_width || shortest_[block] > bounds.up_to_duration)
        return 0;
    const Block& b = at(block);
    return lanes_within(b.processors.data(), b.coarse_duration.data(), b.coarse_start.data(), first,
                        b.count, bounds);
}

std::uint64_t PromiseQueue::before(std::size_t block, Time to) const {
    const Block& b = at(block);
    std::uint64_t lanes = 0;
    for (std::uint32_t i = 0; i < b.count; ++i)
        lanes |= static_cast<std::uint64_t>(of(b.id[i]).start < to) << i;
    return lanes;
}

bool PromiseQueue::remove(std::size_t block, std::uint64_t lanes) {
    assert(lanes != 0);
    Block& b = at(block);
    auto kept = static_cast<std::uint32_t>(std::countr_zero(lanes));
    while (lanes != 0) {
        const auto removed = static_cast<std::uint32_t>(std::countr_zero(lanes));
        spare_ids_.push_back(b.id[removed]);
        lanes &= lanes - 1;
        const std::uint32_t end =
            lanes != 0 ? static_cast<std::uint32_t>(std::countr_zero(lanes)) : b.count;
        shift(b, removed + 1, end, slot_[block], kept);
        kept += end - removed - 1;
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

PromiseId PromiseQueue::find(JobId job) const {
    for (const std::uint32_t slot : slot_) {
        const Block& b = blocks_[slot];
        for (std::uint32_t i = 0; i < b.count; ++i)
            if (of(b.id[i]).job == job) return b.id[i];
    }
    throw std::logic_error("job " + std::to_string(job) + " has no promise");
}

// The block to which a promise with this rank belongs, of at least one.
std::size_t PromiseQueue::block_of(std::uint32_t rank) const {
    const std::uint32_t* first = first_rank_.data();
    for (std::size_t length = first_rank_.size(); length > 1;) {
        const std::size_t half = length / 2;
        first = first[half] <= rank ? first + half : first;
        length -= half;
    }
    return static_cast<std::size_t>(first - first_rank_.data());
}

// Index of the first promise of the block with this rank or a later one.
std::uint32_t PromiseQueue::index_of(std::size_t block, std::uint32_t rank) const {
    const Block& b = at(block);
    const auto ids = std::span(b.id).first(b.count);
    const auto rank_of = [this](PromiseId id) { return of(id).rank; };
    return static_cast<std::uint32_t>(std::ranges::lower_bound(ids, rank, {}, rank_of) -
                                      ids.begin());
}

PromiseQueue::Position PromiseQueue::find_ranked(std::uint32_t rank) const {
    const std::size_t block = block_of(rank);
    const std::uint32_t index = index_of(block, rank);
    assert(index < at(block).count && get({block, index}).rank == rank);
    return {block, index};
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
        for (std::uint32_t i = 0; i < b.count; ++i)
            jobs.push_back(of(b.id[i]).job);
    }
}

void PromiseQueue::reorder(const std::vector<JobId>& jobs) {
    sorting_.clear();
    for (const std::uint32_t slot : slot_)
        sorting_.insert(sorting_.end(), blocks_[slot].id.begin(),
                        blocks_[slot].id.begin() + blocks_[slot].count);
    const auto job_of = [this](PromiseId id) { return of(id).job; };
    std::ranges::sort(sorting_, {}, job_of);
    while (!slot_.empty())
        drop(slot_.size() - 1);
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
        const PromiseId id = *std::ranges::lower_bound(sorting_, jobs[rank], {}, job_of);
        entry(id).promise.rank = static_cast<std::uint32_t>(rank);
        enter(id);
    }
}

} // namespace slotwise
