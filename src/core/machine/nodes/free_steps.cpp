#include "machine/nodes/free_steps.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U; // 2^64 divided by the golden ratio

std::uint64_t at_time(Time time) {
    std::uint64_t at = static_cast<std::uint64_t>(time) * kOdd;
    at = (at ^ (at >> 32)) * kOdd;
    return at ^ (at >> 29);
}

// Returns a hash of the amounts of a change: each amount is multiplied by a different number, and
// the products are added up. mark() is the sum of these hashes, each multiplied by at_time().
template <class Change> std::uint64_t weighed(std::size_t n, Change&& change) {
    std::uint64_t sum = 0;
    std::uint64_t factor = kOdd;
    for (std::size_t r = 0; r < n; ++r) {
        sum += static_cast<std::uint64_t>(change(r)) * factor;
        factor *= kOdd;
    }
    return sum;
}

} // namespace

FreeSteps::FreeSteps(Time origin, const Amounts& free, std::size_t n_resources)
    : n_(n_resources), begin_{origin} {
    for (std::size_t r = 0; r < n_; ++r)
        free_.push_back(free[r]);
}

std::size_t FreeSteps::search(Time time) const {
    return static_cast<std::size_t>(std::upper_bound(begin_.begin(), begin_.end(), time) -
                                    begin_.begin()) -
           1;
}

// Returns the step that begins at `time`, creating it if needed.
std::size_t FreeSteps::split(Time time) {
    const std::size_t i = at(time);
    if (begin_[i] == time) return i;
    begin_.insert(begin_.begin() + static_cast<std::ptrdiff_t>(i) + 1, time);
    const auto end = static_cast<std::ptrdiff_t>(free_.size());
    free_.resize(free_.size() + n_);
    const auto first = free_.begin() + static_cast<std::ptrdiff_t>(i * n_);
    std::copy_backward(first, free_.begin() + end, free_.end()); // duplicates step i
    return i + 1;
}

// Removes step i if its amounts equal those of the step before it.
void FreeSteps::merge(std::size_t i) {
    if (i == 0 || i >= size()) return;
    for (std::size_t r = 0; r < n_; ++r)
        if (row(i)[r] != row(i - 1)[r]) return;
    begin_.erase(begin_.begin() + static_cast<std::ptrdiff_t>(i));
    const auto first = free_.begin() + static_cast<std::ptrdiff_t>(i * n_);
    free_.erase(first, first + static_cast<std::ptrdiff_t>(n_));
}

void FreeSteps::forget_before(Time now) {
    const std::size_t current = at(now);
    for (std::size_t i = 1; i <= current; ++i) {
        const std::int64_t* before = row(i - 1);
        mark_ -= at_time(begin_[i]) * weighed(n_, [&](std::size_t r) {
                     return static_cast<std::uint64_t>(before[n_ + r]) -
                            static_cast<std::uint64_t>(before[r]);
                 });
    }
    begin_.erase(begin_.begin(), begin_.begin() + static_cast<std::ptrdiff_t>(current));
    free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(current * n_));
    begin_.front() = now;
}

bool FreeSteps::same_as(const FreeSteps& other) const {
    return free_ == other.free_ &&
           std::equal(begin_.begin() + 1, begin_.end(), other.begin_.begin() + 1);
}

bool FreeSteps::same_after(Time now, Changes changes, const FreeSteps& other) const {
    std::size_t i = 0;
    std::size_t j = 0;
    const Amounts& amounts = *changes.front().amounts;
    for (Time at = now;;) {
        std::int64_t times = 0;
        Time next = std::min(end(i), other.end(j));
        for (const Change& change : changes) {
            if (at >= change.end) continue;
            if (at >= change.begin) times += change.times;
            next = std::min(next, at < change.begin ? change.begin : change.end);
        }
        const std::int64_t* mine = row(i);
        const std::int64_t* its = other.row(j);
        for (std::size_t r = 0; r < n_; ++r)
            if (mine[r] + times * amounts[r] != its[r]) return false;
        if (next == kNever) return true;
        i += end(i) == next ? 1 : 0;
        j += other.end(j) == next ? 1 : 0;
        at = next;
    }
}

std::uint64_t FreeSteps::mark_after(Time now, Changes changes) const {
    const Amounts& amounts = *changes.front().amounts;
    const std::uint64_t sum = weighed(n_, [&](std::size_t r) { return amounts[r]; });
    std::uint64_t mark = mark_;
    for (const Change& change : changes) {
        const std::uint64_t changed = static_cast<std::uint64_t>(change.times) * sum;
        mark -= changed * at_time(change.end);
        if (change.begin > now) mark += changed * at_time(change.begin);
    }
    return mark;
}

void FreeSteps::add(Time now, Changes changes) {
    forget_before(now);
    mark_ = mark_after(now, changes);
    for (const Change& change : changes) {
        const std::size_t first = split(change.begin);
        const std::size_t last = change.end == kNever ? size() : split(change.end);
        for (std::size_t r = 0; r < n_; ++r) {
            const std::int64_t amount = change.times * (*change.amounts)[r];
            if (amount == 0) continue;
            for (std::size_t i = first; i < last; ++i)
                free_[i * n_ + r] += amount;
        }
        merge(last);
        merge(first);
    }
}

} // namespace slotwise
