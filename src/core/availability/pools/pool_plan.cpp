#include "availability/pools/pool_plan.hpp"

#include "replay/replay_error.hpp"

#include <string>

namespace slotwise {

PoolPlan::PoolPlan(ProcCount processors, Time origin, Duration horizon, PlanForm form)
    : processors_(processors), now_(origin) {
    if (form == PlanForm::stepped)
        profile_.emplace(processors, origin);
    else
        releases_.emplace(processors, origin, horizon, form == PlanForm::fenced);
}

void PoolPlan::prolong(Time estimated_end, Time end, ProcCount processors) {
    if (profile_) {
        profile_->add(now_, estimated_end, processors);
        profile_->add(now_, end, -processors);
    } else {
        releases_->remove(estimated_end, processors);
        releases_->add(end, processors, now_);
    }
}

bool PoolPlan::reserve(Time length, ProcCount processors) {
    if (!profile_) {
        releases_->reserve(now_, length, processors);
        return true;
    }
    const Time from = earliest(length, processors, now_);
    if (from != kNever) reserve_at(from, length, processors);
    return from != kNever;
}

Time PoolPlan::earliest(Time length, ProcCount processors, Time from) {
    Time found = from;
    for (int i = 0; i < kMostSearches; ++i) {
        found = profile_->earliest(processors, length, found, {});
        if (!reach(found + length)) return found;
    }
    return kNever;
}

Time PoolPlan::earliest_start(Time length, ProcCount processors, Time from,
                              const StartTimes& starts) {
    Time start = starts.first_from(from);
    for (int i = 0; i < kMostSearches && start != kNever; ++i) {
        const Time found = earliest(length, processors, start);
        if (found == start || found == kNever) return found;
        start = starts.first_from(found);
    }
    return kNever;
}

void PoolPlan::reserve_at(Time from, Time length, ProcCount processors) {
    const Span span{from, std::max(from, now_) + length, processors};
    profile_->add(std::max(from, now_), span.to, -processors);
    reserved_.push_back({std::max(from, now_), span.to, processors});
}

BackfillBounds PoolPlan::bounds() const {
    const auto length_until = [&](Time until) {
        return static_cast<Duration>(std::clamp<Time>(until - now_, 0, kMaxDuration));
    };
    if (!profile_) return releases_->bounds(now_, processors_);
    const Profile::Point less = profile_->first_below(now_, free());
    return {free(), length_until(less.time), less.free};
}

void PoolPlan::announce(const Recurrence& windows, ProcCount processors) {
    announced_.push_back({windows, processors, windows.first_ending_after(now_)});
    next_announced_ = std::min(next_announced_, announced_.back().next);
}

void PoolPlan::check_ahead(Time before) const {
    double n_windows = 0;
    for (const auto& [windows, processors, next] : announced_) {
        const Time since = std::max(now_, windows.start);
        if (windows.every > 0 && since < before)
            n_windows += static_cast<double>(before - since) / static_cast<double>(windows.every);
    }
    refuse_windows_ahead(n_windows, now_, before);
}

void refuse_windows_ahead(double n_windows, Time now, Time before) {
    if (n_windows <= PoolPlan::kMostAhead) return;
    throw ReplayError(
        "at second " + std::to_string(now) + ", a job is planned as far ahead as second " +
        std::to_string(before) +
        ", but more than 4000000 announced maintenance windows, outages and reservations begin "
        "before then; make them less frequent, or shorten the requested times");
}

bool PoolPlan::plan_announced(Time before) {
    check_ahead(before);
    next_announced_ = kNever;
    for (auto& [windows, processors, next] : announced_) {
        while (next < before) {
            fence(next, next + windows.duration, processors);
            next = windows.every > 0 ? next + windows.every : kNever;
        }
        next_announced_ = std::min(next_announced_, next);
    }
    return true;
}

void PoolPlan::drop_reservations() {
    for (const Span& span : reserved_)
        profile_->add(span.from, span.to, span.processors);
    reserved_.clear();
    if (releases_) releases_->drop();
}

} // namespace slotwise
