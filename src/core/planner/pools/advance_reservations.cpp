#include "planner/pools/advance_reservations.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

// Divides `processors` among the pools in proportion to `bounds`. The sum of `bounds` is at least
// `processors`. Shares are whole numbers.
std::vector<PoolShare> shares_of(const std::vector<Pool>& pools, std::span<const PoolId> usable,
                                 std::span<const std::int64_t> bounds, std::int64_t processors) {
    struct Part {
        PoolId pool;
        std::int64_t whole;
        std::int64_t remainder;
    };
    const std::int64_t sum = std::accumulate(bounds.begin(), bounds.end(), std::int64_t{0});
    std::vector<Part> parts;
    std::int64_t left = processors;
    for (std::size_t i = 0; i < usable.size(); ++i) {
        const std::int64_t product = processors * bounds[i];
        parts.push_back({usable[i], product / sum, product % sum});
        left -= parts.back().whole;
    }
    std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
        return a.remainder != b.remainder ? a.remainder > b.remainder
                                          : pools[a.pool].name < pools[b.pool].name;
    });
    std::vector<PoolShare> shares;
    for (const Part& part : parts) {
        const std::int64_t share = part.whole + (left > 0 ? 1 : 0);
        --left;
        if (share > 0) shares.push_back({part.pool, static_cast<ProcCount>(share)});
    }
    return shares;
}

// Returns the instants in [from, before) at which the number of free processors in one of the
// usable pools may grow.
std::vector<Time> candidates(std::span<const PoolPlan> plans, std::span<const PoolId> usable,
                             Time from, Time before) {
    std::vector<Time> times{from};
    for (const PoolId p : usable) {
        ProcCount last = 0;
        plans[p].profile().for_each_from(from, [&](Time t, ProcCount free) {
            if (t > from && t < before && free > last) times.push_back(t);
            last = free;
        });
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

// Returns the total number of free processors in the usable pools at `time`. Requires that their
// plans contain only running jobs.
std::int64_t free_together(std::span<const PoolPlan> plans, std::span<const PoolId> usable,
                           Time time) {
    std::int64_t sum = 0;
    for (const PoolId pool : usable)
        sum += plans[pool].releases().free_at(time);
    return sum;
}

// Returns the first instant in [from, before) at which the usable pools together have `processors`
// free processors, or kNever. Requires that their plans contain only running jobs, so that the
// number of free processors only grows.
Time first_together(std::span<const PoolPlan> plans, std::span<const PoolId> usable,
                    ProcCount processors, Time from, Time before) {
    std::int64_t sum = free_together(plans, usable, from);
    if (sum >= processors) return from;
    if (before != kNever && free_together(plans, usable, before - 1) < processors) return kNever;
    std::vector<ReleasePlan::Release> releases;
    for (const PoolId pool : usable)
        plans[pool].releases().list(from, before, releases);
    std::sort(releases.begin(), releases.end(),
              [](const auto& a, const auto& b) { return a.time < b.time; });
    for (const ReleasePlan::Release& release : releases)
        if ((sum += release.processors) >= processors) return release.time;
    return kNever;
}

} // namespace

AdvanceReservation earliest_together(const std::vector<Pool>& pools,
                                     std::span<const PoolPlan> plans,
                                     std::span<const PoolId> usable, ProcCount processors,
                                     Time length, Time from, Time before, const StartGrid& grid) {
    AdvanceReservation found;
    std::int64_t most = 0;
    for (const PoolId pool : usable)
        most += plans[pool].processors();
    if (most < processors) return found;
    std::vector<std::int64_t> bounds(usable.size());
    if (!plans[usable.front()].is_stepped()) {
        const Time first = first_together(plans, usable, processors, from, before);
        if (first == kNever || grid.at_or_after(first) >= before) return found;
        found.from = grid.at_or_after(first);
        found.to = found.from + length;
        for (std::size_t i = 0; i < usable.size(); ++i)
            bounds[i] = plans[usable[i]].releases().free_at(found.from);
        found.shares = shares_of(pools, usable, bounds, processors);
        return found;
    }
    for (const Time candidate : candidates(plans, usable, from, before)) {
        const Time t = grid.at_or_after(candidate);
        if (t >= before) break;
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < usable.size(); ++i) {
            bounds[i] = std::max(plans[usable[i]].profile().least(t, t + length), 0);
            sum += bounds[i];
        }
        if (sum < processors) continue;
        found.from = t;
        found.to = t + length;
        found.shares = shares_of(pools, usable, bounds, processors);
        break;
    }
    return found;
}

} // namespace slotwise
