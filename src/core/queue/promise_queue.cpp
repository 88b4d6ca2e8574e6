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
    first_rank_[block] = b.rank[0];
    ProcCount narrowest = b.processors[0];
    std::int32_t shortest = b.coarse_duration[0];
    Time first_start = b.start[0];
    for (std::uint32_t i = 1; i < b.count; ++i) {
        narrowest = std::min(narrowest, b.processors[i]);
        shortest = std::min(shortest, b.coarse_duration[i]);
        first_start = std::min(first_start, b.start[i]);
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
    column(source.duration, target.duration);
    column(source.coarse_duration, target.coarse_duration);
    column(source.coarse_start, target.coarse_start);
    column(source.start, target.start);
    column(source.rank, target.rank);
    column(source.job, target.job);
    if (!is_numbered_) return;
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

// Joins a block to the block before it if both easily fit into one block. This saves time, because
// comparing a few promises takes as long as comparing sixteen.
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

PromiseQueue::Position PromiseQueue::insert(const Promise& promise) {
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
    insert_lane(b.coarse_duration.data(), b.count, index, coarse_time(promise.duration));
    insert_lane(b.coarse_start.data(), b.count, index, coarse_time(promise.start - base_));
    insert_lane(b.start.data(), b.count, index, promise.start);
    insert_lane(b.rank.data(), b.count, index, promise.rank);
    insert_lane(b.job.data(), b.count, index, promise.job);
    first_rank_[block] = b.rank[0];
    const std::int32_t duration = b.coarse_duration[index];
    narrowest_[block] =
        b.count == 0 ? promise.processors : std::min(narrowest_[block], promise.processors);
    shortest_[block] = b.count == 0 ? duration : std::min(shortest_[block], duration);
    first_start_[block] = std::min(first_start_[block], promise.start);
    if (is_numbered_) insert_lane(b.id.data(), b.count, index, number(promise));
    ++b.count;
    if (is_numbered_) note_places(slot_[block], index);
    return {block, index};
}

// Assigns a number to a promise. The caller must then record where the promise is stored.
PromiseId PromiseQueue::number(const Promise& promise) {
    if (spare_ids_.empty()) {
        entries_.push_back({promise, {}, {}});
        return static_cast<PromiseId>(entries_.size() - 1);
    }
    const PromiseId id = spare_ids_.back();
    spare_ids_.pop_back();
    entry(id).promise = promise;
    return id;
}

// Records where the promises of a block are stored, from index `from` onwards.
void PromiseQueue::note_places(std::uint32_t slot, std::uint32_t from) {
    const Block& b = blocks_[slot];
    for (std::uint32_t i = from; i < b.count; ++i)
        entry(b.id[i]).place = {slot, i};
}

void PromiseQueue::number_all() {
    is_numbered_ = true;
    for (std::size_t block = 0; block < n_blocks(); ++block) {
        Block& b = at(block);
        for (std::uint32_t i = 0; i < b.count; ++i)
            b.id[i] = number(get({block, i}));
        note_places(slot_[block], 0);
    }
}

void PromiseQueue::drop_numbers() {
    is_numbered_ = false;
    entries_.clear();
    spare_ids_.clear();
}

void PromiseQueue::set_start(Position p, Time start) {
    Block& b = at(p.block);
    const bool was_first = b.start[p.index] == first_start_[p.block];
    b.start[p.index] = start;
    b.coarse_start[p.index] = coarse_time(start - base_);
    if (is_numbered_) entry(b.id[p.index]).promise.start = start;
    if (start <= first_start_[p.block])
        first_start_[p.block] = start;
    else if (was_first)
        refresh(p.block);
}

void PromiseQueue::add_gaining(std::size_t block, std::uint32_t first,
                               std::span<const SpanBounds> spans, GainingJobs& lanes) const {
    const Block& b = at(block);
    const ProcCount narrowest = narrowest_[block];
    for (const SpanBounds& span : spans)
        if (narrowest <= span.up_to_width)
            add_lanes_within(b.processors.data(), b.coarse_duration.data(), b.coarse_start.data(),
                             first, b.count, span, lanes);
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
        lanes |= static_cast<std::uint64_t>(b.start[i] < to) << i;
    return lanes;
}

bool PromiseQueue::remove(std::size_t block, std::uint64_t lanes) {
    assert(lanes != 0);
    Block& b = at(block);
    auto kept = static_cast<std::uint32_t>(std::countr_zero(lanes));
    while (lanes != 0) {
        const auto next = static_cast<std::uint32_t>(std::countr_zero(lanes)) + 1;
        if (is_numbered_) spare_ids_.push_back(b.id[next - 1]);
        lanes &= lanes - 1;
        const std::uint32_t end =
            lanes != 0 ? static_cast<std::uint32_t>(std::countr_zero(lanes)) : b.count;
        shift(b, next, end, slot_[block], kept);
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
    entries_.clear();
    spare_ids_.clear();
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
        Promise wanted{};
        wanted.job = jobs[rank];
        Promise& p = *std::lower_bound(sorting_.begin(), sorting_.end(), wanted, by_job);
        p.rank = static_cast<std::uint32_t>(rank);
        insert(p);
    }
}

} // namespace slotwise
