// SitePlanner: which waiting jobs are tried where, and what becomes of it.
#include "schedule/site_planner.hpp"
#include "schedule/slowdown_threshold.hpp"

#include <algorithm>

namespace slotwise {

bool SitePlanner::is_open(PoolId p, JobId job) const {
    const Pool& pool = layout_->site.pools[p];
    if (context_.jobs.processors[job] > pool.processors || !routing_->has_room(p, job))
        return false;
    return !pool.has_threshold || factor(job) > pool.threshold;
}

double SitePlanner::factor(JobId job) const {
    return factor_of(now_ - context_.jobs.submit(job), context_.jobs.requested_time[job],
                     queue_of(job));
}

bool SitePlanner::is_eligible(JobId job) const {
    const QueueId queue = routing_->queue_of[job];
    const ProcCount processors = context_.jobs.processors[job];
    return lifted_ ? eligibility_.allows_when_lifted(job, queue, processors, now_)
                   : eligibility_.allows(job, queue, processors, now_);
}

// Starting a job drops its reservations elsewhere, so the others are tried again.
void SitePlanner::sweep_until_settled() {
    for (Line& line : lines_)
        line.waiting.sort_at(now_, layout_->orders, context_.jobs);
    std::size_t before;
    do {
        before = starts_->jobs.size();
        sweep();
    } while (layout_->has_choice && starts_->jobs.size() > before && n_waiting_ > 0);
}

void SitePlanner::sweep() {
    for (std::size_t p = 0; p < pools_.size(); ++p)
        asked_[p] = begin_asking(layout_->site.pools[p]);
    try_starving();
    for (const Line& line : lines_) {
        if (layout_->site.pools[line.pool].has_threshold)
            try_passed(line);
        else
            try_line(line);
    }
    for (PoolPlan& pool : pools_)
        pool.drop_reservations();
}

SitePlanner::Asked SitePlanner::begin_asking(const Pool& pool) const {
    const Policy& policy = context_.policy;
    if (lifted_) return {0, true, false};
    if (pool.has_threshold || policy.backfill == "easy") return {1, false, false};
    if (policy.backfill == "depth") return {policy.depth, false, false};
    if (policy.backfill == "replan") return {kUnlimited, false, false};
    return {0, policy.backfill == "none", false};
}

// Oldest first, each in its pools in its queue's order.
void SitePlanner::try_starving() {
    for (const JobId job : starving_) {
        if (waits_[job] == 0 || queue_of(job).spanning || !is_eligible(job)) continue;
        for (const PoolId pool : queue_of(job).pools)
            if (is_open(pool, job) && try_in(job, pool)) break;
    }
}

void SitePlanner::try_line(const Line& line) {
    const ProcCount most = pools_[line.pool].processors();
    for (std::size_t i = 0; i < line.waiting.size() && !is_spent(line.pool); ++i) {
        const JobId job = line.waiting[i];
        if (waits_[job] != 1 || context_.jobs.processors[job] > most ||
            !routing_->has_room(line.pool, job) || !is_eligible(job))
            continue;
        try_in(job, line.pool);
    }
}

// Largest factor first.
void SitePlanner::try_passed(const Line& line) {
    std::vector<std::pair<double, JobId>> jobs;
    for (const JobId job : line.passed)
        if (waits_[job] == 1 && is_open(line.pool, job)) jobs.emplace_back(factor(job), job);
    std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [factor, job] : jobs) {
        if (is_spent(line.pool)) return;
        if (is_eligible(job)) try_in(job, line.pool);
    }
}

// Whether no further try can change anything.
bool SitePlanner::is_spent(PoolId pool) const {
    const Asked& asked = asked_[pool];
    return (asked.blocked && asked.closes) || (asked.left == 0 && pools_[pool].free() == 0);
}

bool SitePlanner::try_in(JobId job, PoolId pool) {
    Asked& asked = asked_[pool];
    if (asked.blocked && asked.closes) return false;
    const ProcCount processors = context_.jobs.processors[job];
    const Duration length = beliefs_.waiting(job);
    if (pools_[pool].has_room(length, processors)) {
        start(job, pool, asked.blocked);
        return true;
    }
    asked.blocked = true;
    if (asked.left > 0) {
        pools_[pool].reserve(std::max<Time>(length, 1), processors);
        --asked.left;
    }
    return false;
}

bool SitePlanner::any_eligible() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](JobId job) { return waits_[job] != 0 && is_eligible(job); });
}

// What only the site's limits of one user or group hold back, as none would start it.
void SitePlanner::start_when_idle() {
    lifted_ = true;
    sweep();
    lifted_ = false;
}

} // namespace slotwise
