#include "machine/nodes/left_steps.hpp"

namespace slotwise {

namespace {

// Position in a step function.
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

void LeftSteps::build(Time origin, std::span<const OfClass> classes) {
    n_classes_ = classes.size();
    begin_.clear();
    left_.clear();
    sum_.clear();
    std::vector<Cursor> cursors;
    for (const OfClass& of : classes) {
        cursors.emplace_back(of.numbers);
        cursors.emplace_back(of.cores);
    }
    for (Time time = origin; time != kNever;) {
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

// First step of the window at which the classes together have too few; if there is none, the number
// of steps.
std::size_t LeftSteps::first_lacking(std::size_t i, Time start, const Asked& asked) const {
    const Time end = std::min(start + asked.length, asked.before);
    do {
        if (sum_[i] < asked.number) return i;
        ++i;
    } while (i < begin_.size() && begin_[i] < end);
    return begin_.size();
}

std::size_t LeftSteps::first_enough(std::size_t i, std::int32_t number) const {
    while (i < begin_.size() && sum_[i] < number)
        ++i;
    return i;
}

// A job takes the same number from each class throughout.
bool LeftSteps::is_enough_of_each(std::size_t i, Time start, const Asked& asked) const {
    if (n_classes_ == 1) return true;
    const Time end = std::min(start + asked.length, asked.before);
    std::int32_t number = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) {
        std::int32_t least = left_[i * n_classes_ + c];
        for (std::size_t j = i + 1; j < begin_.size() && begin_[j] < end; ++j)
            least = std::min(least, left_[j * n_classes_ + c]);
        number += least;
    }
    return number >= asked.number;
}

} // namespace slotwise
