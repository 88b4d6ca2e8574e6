#include "machine/nodes/free_steps.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U; // 2^64 divided by the golden ratio

// Returns what a change of the free amounts at `time` contributes to a mark. The contribution is
// linear in the change.
std::uint64_t mark_of(Time time, const Amounts& change) {
    std::uint64_t amounts = 0;
    std::uint64_t factor = kOdd;
    for (std::size_t r = 0; r < Amounts::kNear; ++r) {
        amounts += static_cast<std::uint64_t>(change.near(r)) * factor;
        factor *= kOdd; // known at compile time
    }
    for (std::size_t r = Amounts::kNear; r < change.size(); ++r) {
        amounts += static_cast<std::uint64_t>(change[r]) * factor;
        factor *= kOdd;
    }
    std::uint64_t at = static_cast<std::uint64_t>(time) * kOdd;
    at = (at ^ (at >> 32)) * kOdd;
    return (at ^ (at >> 29)) * amounts;
}

} // namespace

std::size_t FreeSteps::search(Time time) const {
    return static_cast<std::size_t>(std::upper_bound(begin_.begin(), begin_.end(), time) -
                                    begin_.begin()) -
           1;
}

// Returns the step that begins at `time`, which is created if there is none.
std::size_t FreeSteps::split(Time time) {
    const std::size_t i = at(time);
    if (begin_[i] == time) return i;
    const auto after = static_cast<std::ptrdiff_t>(i) + 1;
    const Amounts free = free_[i];
    begin_.insert(begin_.begin() + after, time);
    free_.insert(free_.begin() + after, free);
    return i + 1;
}

// Removes step i if its amounts equal those of the step before it.
void FreeSteps::merge(std::size_t i) {
    if (i == 0 || i >= size()) return;
    if (free_[i] != free_[i - 1]) return;
    begin_.erase(begin_.begin() + static_cast<std::ptrdiff_t>(i));
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
}

void FreeSteps::forget_before(Time now) {
    const std::size_t current = at(now);
    for (std::size_t i = 1; i <= current; ++i) {
        Amounts change = free_[i];
        change.add(-1, free_[i - 1]);
        mark_ -= mark_of(begin_[i], change);
    }
    begin_.erase(begin_.begin(), begin_.begin() + static_cast<std::ptrdiff_t>(current));
    free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(current));
    begin_.front() = now;
}

bool FreeSteps::same_as(const FreeSteps& other) const {
    return free_ == other.free_ &&
           std::equal(begin_.begin() + 1, begin_.end(), other.begin_.begin() + 1);
}

bool FreeSteps::same_after(Time now, const Change& change, const FreeSteps& other) const {
    std::size_t i = 0;
    std::size_t j = 0;
    for (Time at = now;;) {
        const bool changed = change.begin <= at && at < change.end;
        const std::int64_t times = changed ? change.times : 0;
        if (!free_[i].make(times, change.amounts, other.free_[j])) return false;
        Time next = std::min(end(i), other.end(j));
        if (at < change.end) next = std::min(next, at < change.begin ? change.begin : change.end);
        if (next == kNever) return true;
        i += end(i) == next ? 1 : 0;
        j += other.end(j) == next ? 1 : 0;
        at = next;
    }
}

std::uint64_t FreeSteps::mark_after(Time now, const Change& change) const {
    const auto times = static_cast<std::uint64_t>(change.times);
    std::uint64_t mark = mark_ - times * mark_of(change.end, change.amounts);
    if (change.begin > now) mark += times * mark_of(change.begin, change.amounts);
    return mark;
}

void FreeSteps::add(Time now, const Change& change) {
    forget_before(now);
    if (change.end <= change.begin) return;
    mark_ = mark_after(now, change);
    const std::size_t first = split(change.begin);
    const std::size_t last = change.end == kNever ? size() : split(change.end);
    for (std::size_t i = first; i < last; ++i)
        free_[i].add(change.times, change.amounts);
    merge(last);
    merge(first);
}

} // namespace slotwise
