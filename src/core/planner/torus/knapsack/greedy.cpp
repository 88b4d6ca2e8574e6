#include "planner/torus/knapsack/greedy.hpp"

#include <algorithm>
#include <utility>

namespace slotwise::knapsack {

void Greedy::solve(const Instance& instance) {
    of_ = instance;
    room_.assign(of_.capacities.begin(), of_.capacities.end());
    std::fill(of_.slot_of.begin(), of_.slot_of.end(), kNoSlot);
    total_ = 0;
    fill();
    totals_.filled = totals_.exchanged = totals_.replaced = total_;
    if (std::find(of_.slot_of.begin(), of_.slot_of.end(), kNoSlot) == of_.slot_of.end()) return;
    exchange();
    totals_.exchanged = total_;
    replace();
    totals_.replaced = total_;
}

void Greedy::put(std::size_t job, SlotIndex slot) {
    of_.slot_of[job] = slot;
    room_[slot] -= of_.sizes[job];
    total_ += of_.sizes[job];
}

void Greedy::take_out(std::size_t job) {
    room_[of_.slot_of[job]] += of_.sizes[job];
    total_ -= of_.sizes[job];
    of_.slot_of[job] = kNoSlot;
}

// Each job takes the first slot with room for it. It makes no difference whether the outer loop
// runs over jobs or over slots.
void Greedy::fill() {
    for (std::size_t job = 0; job < of_.sizes.size(); ++job) {
        const auto slot = std::find_if(room_.begin(), room_.end(),
                                       [&](ProcCount room) { return of_.sizes[job] <= room; });
        if (slot != room_.end()) put(job, static_cast<SlotIndex>(slot - room_.begin()));
    }
}

void Greedy::exchange() {
    for (std::size_t one = 0; one < of_.sizes.size(); ++one)
        for (std::size_t other = one + 1; other < of_.sizes.size(); ++other)
            if (is_placed(one) && is_placed(other) && of_.slot_of[one] != of_.slot_of[other])
                try_exchange(one, other);
}

// Exchanges two placed jobs if both fit and a waiting job then fits next to the smaller one. Places
// the first such waiting job there.
void Greedy::try_exchange(std::size_t one, std::size_t other) {
    const auto& sizes = of_.sizes;
    const auto [smaller, larger] =
        sizes[one] < sizes[other] ? std::pair(one, other) : std::pair(other, one);
    const SlotIndex losing = of_.slot_of[smaller];
    const SlotIndex gaining = of_.slot_of[larger];
    const ProcCount gain = sizes[larger] - sizes[smaller];
    if (gain == 0 || gain > room_[losing]) return;
    for (std::size_t job = 0; job < sizes.size(); ++job) {
        if (is_placed(job) || sizes[job] > room_[gaining] + gain) continue;
        take_out(larger);
        take_out(smaller);
        put(larger, losing);
        put(smaller, gaining);
        put(job, gaining);
        return;
    }
}

void Greedy::replace() {
    for (std::size_t placed = 0; placed < of_.sizes.size(); ++placed)
        if (is_placed(placed)) try_replacing(placed);
}

void Greedy::try_replacing(std::size_t placed) {
    const auto& sizes = of_.sizes;
    const SlotIndex slot = of_.slot_of[placed];
    const ProcCount room = room_[slot] + sizes[placed];
    ProcCount filled = 0;
    const auto takes = [&](std::size_t job) {
        return !is_placed(job) && job != placed && sizes[job] <= room - filled;
    };
    for (std::size_t job = 0; job < sizes.size(); ++job)
        if (takes(job)) filled += sizes[job];
    if (filled <= sizes[placed]) return;
    take_out(placed);
    filled = 0;
    for (std::size_t job = 0; job < sizes.size(); ++job) {
        if (!takes(job)) continue;
        filled += sizes[job];
        put(job, slot);
    }
}

} // namespace slotwise::knapsack
