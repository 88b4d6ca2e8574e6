#include "machine/free_steps.hpp"

#include <algorithm>

namespace slotwise {

std::size_t FreeSteps::search(Time time) const {
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), time,
                                        [](Time t, const Step& step) { return t < step.begin; });
    return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

// The step that begins at `time`, which is made where there is none.
std::size_t FreeSteps::split(Time time) {
    const std::size_t i = at(time);
    if (steps_[i].begin == time) return i;
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {time, steps_[i].free});
    return i + 1;
}

// Drops step i where it says what the step before says.
void FreeSteps::merge(std::size_t i) {
    if (i == 0 || i >= steps_.size()) return;
    std::int64_t differs = 0; // the comparison of the standard library is a call
    for (std::size_t r = 0; r < kMostResources; ++r)
        differs |= steps_[i].free[r] ^ steps_[i - 1].free[r];
    if (differs == 0) steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
}

void FreeSteps::forget_before(Time now) {
    const std::size_t current = at(now);
    if (current == 0) return;
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(current));
    steps_.front().begin = now;
}

bool FreeSteps::same_as(const FreeSteps& other) const {
    if (steps_.size() != other.steps_.size() || steps_[0].free != other.steps_[0].free)
        return false;
    for (std::size_t i = 1; i < steps_.size(); ++i)
        if (steps_[i].begin != other.steps_[i].begin || steps_[i].free != other.steps_[i].free)
            return false;
    return true;
}

std::uint32_t FreeSteps::mark() const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U; // 2^64 over the golden ratio
    std::uint64_t mark = steps_.size();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        std::uint64_t step = i == 0 ? 0 : static_cast<std::uint64_t>(steps_[i].begin);
        std::uint64_t factor = kOdd;
        for (const std::int64_t amount : steps_[i].free) {
            step += static_cast<std::uint64_t>(amount) * factor;
            factor *= kOdd; // known when compiled
        }
        step = (step ^ (step >> 32)) * kOdd;
        mark += step ^ (step >> 32);
    }
    return static_cast<std::uint32_t>(mark ^ (mark >> 32));
}

void FreeSteps::add(Time now, Time begin, Time end, const Amounts& change, std::int64_t times) {
    forget_before(now);
    if (end <= begin) return;
    const std::size_t first = split(begin);
    const std::size_t last = end == kNever ? steps_.size() : split(end);
    for (std::size_t i = first; i < last; ++i)
        for (std::size_t r = 0; r < kMostResources; ++r)
            steps_[i].free[r] += times * change[r];
    merge(last);
    merge(first);
}

} // namespace slotwise
