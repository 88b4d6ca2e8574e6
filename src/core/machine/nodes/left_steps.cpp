#include "machine/nodes/left_steps.hpp"

namespace slotwise {

namespace {

// A position in a step function.
struct Cursor {
    const LeftSteps::Point* at;
    const LeftSteps::Point* end;

    explicit Cursor(const std::vector<LeftSteps::Point>& points)
        : at(points.data()), end(points.data() + points.size()) {}
    bool is_empty() const { return at == end; }
    Time next() const { return end - at > 1 ? at[1].time : kNever; }
    void advance(Time time) {
        while (next() <= time && end - at > 1)
            ++at;
    }
};

} // namespace

void LeftSteps::build(Time origin, Time end, std::span<const OfClass> classes) {
    n_classes_ = classes.size();
    begin_.clear();
    left_.clear();
    sum_.clear();
    std::vector<Cursor> cursors;
    for (const OfClass& of : classes) {
        cursors.emplace_back(of.numbers);
        cursors.emplace_back(of.cores);
    }
    for (Time time = origin; time < end;) {
        Time next = kNever;
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < n_classes_; ++c) {
            Cursor& numbers = cursors[2 * c];
            Cursor& cores = cursors[2 * c + 1];
            numbers.advance(time);
            cores.advance(time);
            std::int32_t left = std::max(numbers.at->number, 0);
            if (!cores.is_empty() && left > 0 && cores.at->number < left * classes[c].cores_each)
                left = std::max(cores.at->number, 0) / classes[c].cores_each;
            left_.push_back(left);
            sum += left;
            next = std::min({next, numbers.next(), cores.next()});
        }
        begin_.push_back(time);
        sum_.push_back(sum);
        time = next;
    }
}

std::size_t LeftSteps::at(Time time) const {
    const auto above = std::upper_bound(begin_.begin(), begin_.end(), time);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - begin_.begin(), 1)) - 1;
}

// Returns the first step at which, while the job would run, the classes together have too little
// left for it. Returns the number of steps if there is none.
std::size_t LeftSteps::first_lacking(std::size_t i, Time start, const Asked& asked) const {
    const Time end = end_of(start, asked);
    do {
        if (sum_[i] < asked.number &&
            (sum_[i] + asked.own.sum < asked.number || !is_own(i, start, end, asked.own)))
            return i;
        ++i;
    } while (i < begin_.size() && begin_[i] < end);
    return begin_.size();
}

std::size_t LeftSteps::first_enough(std::size_t i, std::int32_t number) const {
    while (i < begin_.size() && sum_[i] < number)
        ++i;
    return i;
}

// Returns `start` if the classes have enough left for the job; otherwise, returns the next start to
// try. Only the smallest number left in each class during the job matters, because the job keeps
// the same nodes or cores until it ends. All starts between `start` and the returned time fail for
// the same reason.
Time LeftSteps::first_with_enough_of_each(std::size_t i, Time start, const Asked& asked) const {
    if (n_classes_ == 1) return start;
    std::int32_t number = 0;
    Time later = kNever;
    for (std::size_t c = 0; c < n_classes_; ++c) {
        const Least least = least_from(i, c, start, asked);
        number += least.number;
        later = std::min(later, begin(least.last + 1));
    }
    return number >= asked.number ? start : later;
}

LeftSteps::Least LeftSteps::least_from(std::size_t i, std::size_t position, Time start,
                                       const Asked& asked) const {
    const Time end = end_of(start, asked);
    Least least{left_[i * n_classes_ + position], i};
    for (std::size_t j = i + 1; j < begin_.size() && begin_[j] < end; ++j) {
        std::int32_t left = left_[j * n_classes_ + position];
        if (left > least.number) continue;
        if (asked.own.sum > 0 && is_own(j, start, end, asked.own))
            left += asked.own.numbers[position];
        if (left <= least.number) least = {left, j};
    }
    return least;
}

} // namespace slotwise
