#include "planner/torus/knapsack/filling.hpp"

#include <algorithm>
#include <bit>

namespace slotwise::knapsack {

std::int64_t Filling::most(std::span<const ProcCount> sizes, std::span<const ProcCount> rooms,
                           std::int64_t floor, std::int64_t goal) {
    sizes_ = sizes;
    rooms_.assign(rooms.begin(), rooms.end());
    demand_.assign(sizes.size() + 1, 0);
    for (std::size_t job = sizes.size(); job-- > 0;)
        demand_[job] = demand_[job + 1] + sizes[job];
    best_ = floor;
    goal_ = goal;
    nodes_ = 0;
    is_long_ = false;
    words_ = 0;
    largest_ = rooms_.empty() ? 0 : *std::max_element(rooms_.begin(), rooms_.end());
    place_from(0, 0);
    return best_;
}

// Tries all ways to place `job` and the later jobs. `filled` is the total size of the earlier jobs
// that are placed.
void Filling::place_from(std::size_t job, std::int64_t filled) {
    best_ = std::max(best_, filled);
    if (job == sizes_.size() || best_ >= goal_) return;
    if (++nodes_ == kShort) prepare_for_length();
    if (filled + bound(job) <= best_) return;
    if (is_long_ && was_here(job, filled)) return;
    place(job, filled);
}

// Puts `job` into each slot that has room for it, but tries only one of several slots with equal
// room. If the job fills a slot exactly, no other slot is tried, because no other slot can be
// better. If the job is left out, later jobs of the same size are left out too, because they are
// interchangeable.
void Filling::place(std::size_t job, std::int64_t filled) {
    const ProcCount size = sizes_[job];
    ProcCount tried = size - 1;
    for (std::size_t slot; (slot = tightest_above(tried)) != rooms_.size();) {
        tried = rooms_[slot];
        rooms_[slot] -= size;
        place_from(job + 1, filled + size);
        rooms_[slot] += size;
        if (tried == size || best_ >= goal_) return;
    }
    while (job < sizes_.size() && sizes_[job] == size)
        ++job;
    place_from(job, filled);
}

// Among the slots with more than `room` free nodes, returns the one with the fewest. Returns the
// number of slots if there is none.
std::size_t Filling::tightest_above(ProcCount room) const {
    std::size_t tightest = rooms_.size();
    for (std::size_t slot = 0; slot < rooms_.size(); ++slot)
        if (rooms_[slot] > room && (tightest == rooms_.size() || rooms_[slot] < rooms_[tightest]))
            tightest = slot;
    return tightest;
}

// Returns an upper bound on the number of nodes that `job` and the later jobs can fill.
std::int64_t Filling::bound(std::size_t job) const {
    std::int64_t capacity = 0;
    for (const ProcCount room : rooms_)
        capacity += reach(job, room);
    return std::min(demand_[job], capacity);
}

// Returns an upper bound on the number of nodes that `job` and the later jobs can fill in one slot
// with `room` free nodes.
ProcCount Filling::reach(std::size_t job, ProcCount room) const {
    if (words_ == 0) return room >= sizes_.back() ? room : 0;
    const std::uint64_t* totals = &totals_[job * words_];
    std::size_t word = static_cast<std::size_t>(room) / 64;
    std::uint64_t bits = totals[word] & (~std::uint64_t{0} >> (63 - room % 64));
    while (bits == 0) // a total of 0 is always possible, so the loop ends
        bits = totals[--word];
    return static_cast<ProcCount>(word * 64 + 63 - std::countl_zero(bits));
}

void Filling::prepare_for_length() {
    is_long_ = true;
    const std::size_t words = static_cast<std::size_t>(largest_) / 64 + 1;
    if (words * (sizes_.size() + 1) <= kMostWords) find_totals(words);
    if (++call_ == 0) { // the counter has wrapped around
        visits_.clear();
        call_ = 1;
    }
    visits_.resize(kVisits);
    visited_.resize(kVisits * rooms_.size());
    reached_.resize(rooms_.size());
}

// For each job, finds the totals that can be reached with this job and all later ones. The job
// either adds its size to a total of the later jobs, or is left out.
void Filling::find_totals(std::size_t words) {
    words_ = words;
    totals_.assign(words * (sizes_.size() + 1), 0);
    totals_[words * sizes_.size()] = 1;
    for (std::size_t job = sizes_.size(); job-- > 0;) {
        std::uint64_t* with = &totals_[words * job];
        const std::uint64_t* without = with + words;
        const std::size_t skipped = static_cast<std::size_t>(sizes_[job]) / 64;
        const int shift = sizes_[job] % 64;
        std::copy_n(without, words, with);
        for (std::size_t i = 0; i + skipped < words; ++i) {
            with[i + skipped] |= without[i] << shift;
            if (shift > 0 && i + skipped + 1 < words)
                with[i + skipped + 1] |= without[i] >> (64 - shift);
        }
    }
}

// Returns true if the search has already reached `job` with the same number of nodes filled and
// with equivalent slots. The slots are equivalent if reach() returns the same numbers for them, in
// any order. The earlier visit has then covered everything that this one could find. Records of old
// visits may have been overwritten.
bool Filling::was_here(std::size_t job, std::int64_t filled) {
    std::transform(rooms_.begin(), rooms_.end(), reached_.begin(),
                   [&](ProcCount room) { return reach(job, room); });
    std::sort(reached_.begin(), reached_.end());
    std::uint64_t hash = job;
    for (const ProcCount room : reached_)
        hash = (hash ^ static_cast<std::uint64_t>(room)) * 0x9E3779B97F4A7C15;
    const std::size_t at = hash >> 52;
    static_assert(kVisits == std::size_t{1} << (64 - 52));
    const Visit visit{call_, static_cast<std::uint32_t>(job), filled};
    ProcCount* rooms = &visited_[at * rooms_.size()];
    if (visits_[at] == visit && std::equal(reached_.begin(), reached_.end(), rooms)) return true;
    visits_[at] = visit;
    std::copy(reached_.begin(), reached_.end(), rooms);
    return false;
}

} // namespace slotwise::knapsack
