#include "planner/torus/knapsack/branch_and_bound.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace slotwise::knapsack {

void BranchAndBound::solve(const Instance& instance) {
    of_ = instance;
    const std::int64_t first = take_first_places();
    const std::int64_t most = bound();
    if (first == most) return;
    by_size_.resize(of_.sizes.size());
    std::iota(by_size_.begin(), by_size_.end(), 0U);
    std::sort(by_size_.begin(), by_size_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return of_.sizes[a] != of_.sizes[b] ? of_.sizes[a] > of_.sizes[b] : a < b;
    });
    begin_again();
    left_ = most_from(0, first, most);
    if (left_ == first) {
        take_first_places();
        return;
    }
    for (std::size_t job = 0; job < of_.sizes.size() && left_ > 0; ++job)
        place(job);
}

void BranchAndBound::begin_again() {
    room_.assign(of_.capacities.begin(), of_.capacities.end());
    std::fill(of_.slot_of.begin(), of_.slot_of.end(), kNoSlot);
}

// Makes the first assignment of the search, which puts each job into the first slot that has room
// for it. Returns the number of nodes filled.
std::int64_t BranchAndBound::take_first_places() {
    begin_again();
    std::int64_t filled = 0;
    for (std::size_t job = 0; job < of_.sizes.size(); ++job) {
        const ProcCount size = of_.sizes[job];
        for (std::size_t slot = 0; slot < room_.size(); ++slot) {
            if (room_[slot] < size) continue;
            room_[slot] -= size;
            of_.slot_of[job] = static_cast<SlotIndex>(slot);
            filled += size;
            break;
        }
    }
    return filled;
}

// Returns an upper bound on the number of nodes that can be filled: the total size of the jobs that
// fit into a slot, or the total size of the slots that can hold a job, whichever is smaller.
std::int64_t BranchAndBound::bound() const {
    if (of_.sizes.empty() || of_.capacities.empty()) return 0;
    const ProcCount largest = *std::max_element(of_.capacities.begin(), of_.capacities.end());
    const ProcCount smallest = *std::min_element(of_.sizes.begin(), of_.sizes.end());
    std::int64_t demand = 0;
    for (const ProcCount size : of_.sizes)
        demand += size <= largest ? size : 0;
    std::int64_t capacity = 0;
    for (const ProcCount room : of_.capacities)
        capacity += room >= smallest ? room : 0;
    return std::min(demand, capacity);
}

// Puts `job` into the first slot that still allows the best total to be reached with the later
// jobs. Leaves the job out if there is no such slot.
void BranchAndBound::place(std::size_t job) {
    const ProcCount size = of_.sizes[job];
    failed_.clear();
    for (std::size_t slot = 0; slot < room_.size(); ++slot) {
        const ProcCount room = room_[slot];
        if (room < size || std::find(failed_.begin(), failed_.end(), room) != failed_.end())
            continue;
        room_[slot] = room - size;
        const std::int64_t rest = left_ - size;
        if (most_from(job + 1, rest - 1, rest) == rest) {
            of_.slot_of[job] = static_cast<SlotIndex>(slot);
            left_ = rest;
            return;
        }
        room_[slot] = room;
        failed_.push_back(room);
    }
}

// Returns the largest number of nodes that `job` and the later jobs can fill, according to
// Filling::most().
std::int64_t BranchAndBound::most_from(std::size_t job, std::int64_t floor, std::int64_t goal) {
    const auto largest = std::max_element(room_.begin(), room_.end());
    sizes_.clear();
    for (const std::uint32_t other : by_size_)
        if (other >= job && of_.sizes[other] <= *largest) sizes_.push_back(of_.sizes[other]);
    if (sizes_.empty()) return std::max<std::int64_t>(floor, 0);
    rooms_.clear();
    for (const ProcCount room : room_)
        if (room >= sizes_.back()) rooms_.push_back(room);
    if (rooms_.size() > sizes_.size()) {
        std::nth_element(rooms_.begin(),
                         rooms_.begin() + static_cast<std::ptrdiff_t>(sizes_.size()), rooms_.end(),
                         std::greater<>());
        rooms_.resize(sizes_.size());
    }
    return filling_.most(sizes_, rooms_, floor, goal);
}

} // namespace slotwise::knapsack
