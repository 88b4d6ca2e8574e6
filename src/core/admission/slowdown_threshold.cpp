#include "admission/slowdown_threshold.hpp"

#include <algorithm>
#include <cmath>

namespace slotwise {

double factor_of(Time waited, Duration requested_time, const Queue& queue) {
    const std::int64_t length =
        std::max<std::int64_t>(std::min<std::int64_t>(requested_time, queue.max_requested_time), 1);
    return static_cast<double>(waited) / static_cast<double>(length) * queue.priority;
}

Time passes_at(Time now, Time submit, Duration requested_time, const Queue& queue,
               double threshold) {
    const auto is_open = [&](Time t) {
        return factor_of(t - submit, requested_time, queue) > threshold;
    };
    if (!(queue.priority > 0) || is_open(now)) return kNever;
    // Starts from an approximation. Rounding errors may make it wrong by about a second.
    const double waited = threshold / factor_of(1, requested_time, queue);
    constexpr double kNear = 1e12;
    if (waited < kNear) {
        Time opens = std::max(now, submit + static_cast<Time>(std::max(waited, 0.0))) + 1;
        while (!is_open(opens))
            ++opens;
        while (opens - 1 > now && is_open(opens - 1))
            --opens;
        return opens;
    }
    Time step = 1;
    while (!is_open(now + step)) {
        if (step > kMaxTime) return kNever;
        step *= 2;
    }
    // The slowdown factor exceeds the threshold at `open`, but not at `shut`.
    Time shut = now + step / 2;
    Time open = now + step;
    while (open - shut > 1) {
        const Time middle = shut + (open - shut) / 2;
        (is_open(middle) ? open : shut) = middle;
    }
    return open;
}

} // namespace slotwise
