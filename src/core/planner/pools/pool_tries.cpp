// PoolsPlanner: in which order the jobs of a line are tried, and what becomes of it.
#include "planner/pools/pools_planner.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace slotwise {

// Oldest first, each in its pools in its queue's order. Of a long list few may fit: what no pool
// of the cluster holds is passed over at the cost of a comparison.
void PoolsPlanner::try_starving(const Cluster& cluster) {
    if (starving_.empty()) return;
    ProcCount widest = 0;
    const auto look = [&] {
        widest = 0;
        for (const PoolId pool : cluster.pools)
            widest = std::max(widest, bounds_[pool].free);
    };
    look();
    if (widest == 0) return;
    for (std::size_t i = 0; i < starving_.size(); ++i) { // which grows as rows move up
        const JobId job = starving_[i];
        if (context_.jobs.processors[job] > widest || !waits(job)) continue;
        if (!has_job(cluster, job) || !is_eligible(job)) continue;
        for (const PoolId pool : queue_of(job).pools) {
            if (!holds(bounds_[pool], job) || !is_open(pool, job)) continue;
            const bool has_started = try_in(job, pool);
            bounds_[pool] = bounds_to_try(pool);
            look();
            if (has_started) break;
        }
        if (widest == 0) return;
    }
}

void PoolsPlanner::try_line(const PoolsLayout::Line& asked, const PoolQueue& line) {
    if (!asked.drifts) return try_in_order(asked.pool, line, 0, line.end());
    for (PoolQueue::Position from = 0, to; from < line.end() && !is_spent(asked.pool); from = to) {
        to = line.end_of_group(from);
        const std::size_t behind = line.end() - to;
        if (const Order* order = layout_->orders.drifting(line.key(from).group))
            try_by_score(asked.pool, line, from, to, *order);
        else
            try_in_order(asked.pool, line, from, to);
        to = line.end() - behind;
    }
}

// A job that starts may have a successor further down the line, of the same group.
void PoolsPlanner::try_in_order(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                                PoolQueue::Position to) {
    const std::size_t behind = line.end() - to;
    BackfillBounds bounds = bounds_to_try(pool);
    for (PoolQueue::Position at = line.next(from, bounds);
         at < line.end() - behind && !is_spent(pool); at = line.next(at + 1, bounds))
        if (try_waiting(line.job(at), pool)) bounds = bounds_to_try(pool);
}

// Highest score first. Once the pool has its first, only those that may fit beside it are listed.
void PoolsPlanner::try_by_score(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                                PoolQueue::Position to, const Order& order) {
    const std::size_t behind = line.end() - to;
    bool counted = asked_[pool].counts_in_vain();
    BackfillBounds bounds = bounds_to_try(pool);
    score(line, from, to, bounds, order);
    while (!is_spent(pool) && !scored_.empty()) {
        const JobId job = scored_.take_highest();
        if (!holds(bounds, job) || !try_waiting(job, pool)) continue;
        bounds = bounds_to_try(pool);
        if (counted && !asked_[pool].counts_in_vain()) {
            counted = false;
            score(line, from, line.end() - behind, bounds, order);
        } else if (!waits(job) && successor_ != kNoJob) {
            scored_.add(successor_, order, context_.jobs, now_);
        }
    }
}

// Tries a job of a line; whether that has changed what is worth a try.
bool PoolsPlanner::try_waiting(JobId job, PoolId pool) {
    if (!waits(job) || starves(job) || !routing_->fits_now(pool, job) || !is_eligible(job))
        return false;
    const bool counts = asked_[pool].counts_in_vain();
    return try_in(job, pool) || counts;
}

// Where a try in vain changes nothing, only a job that may fit is worth one.
BackfillBounds PoolsPlanner::bounds_to_try(PoolId pool) const {
    if (asked_[pool].backfill.promises) return {0, 0, 0};
    return asked_[pool].counts_in_vain() ? PoolQueue::any(pools_[pool].processors())
                                         : pools_[pool].bounds();
}

// Lists, by score, the jobs in [from, to) that `room` holds.
void PoolsPlanner::score(const PoolQueue& line, PoolQueue::Position from, PoolQueue::Position to,
                         const BackfillBounds& bounds, const Order& order) {
    std::vector<JobId>& jobs = scored_.listed();
    jobs.clear();
    // A start may let in the next of a user's jobs; else who is not eligible now stays so.
    const bool may_ease = layout_->counts_queued;
    line.for_each(from, to, bounds, [&](JobId job) {
        if (may_ease || is_eligible(job)) jobs.push_back(job);
    });
    scored_.score(order, context_.jobs, now_);
}

std::vector<JobId> PoolsPlanner::jobs_in_order(const PoolQueue& line) {
    const BackfillBounds anybody = PoolQueue::any(context_.processors);
    std::vector<JobId> jobs;
    for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
        to = line.end_of_group(from);
        if (const Order* order = layout_->orders.drifting(line.key(from).group)) {
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                jobs.push_back(scored_.take_highest());
        } else {
            line.for_each(from, to, anybody, [&](JobId job) { jobs.push_back(job); });
        }
    }
    return jobs;
}

// Largest factor first.
void PoolsPlanner::try_passed(PoolId pool, const std::vector<JobId>& passed) {
    const Pool& its = layout_->site.pools[pool];
    std::vector<Passed>& jobs = scratch_passed_;
    jobs.clear();
    bool counted = asked_[pool].counts_in_vain();
    BackfillBounds bounds = bounds_to_try(pool);
    for (const JobId job : passed)
        list_passed(its, bounds, job);
    std::make_heap(jobs.begin(), jobs.end());
    while (!jobs.empty() && !is_spent(pool)) {
        std::pop_heap(jobs.begin(), jobs.end());
        const JobId job = jobs.back().job;
        jobs.pop_back();
        if (!waits(job) || !holds(bounds, job) || !is_eligible(job)) continue;
        const bool has_started = try_in(job, pool);
        if (!has_started && !counted) continue;
        bounds = bounds_to_try(pool);
        if (counted && !asked_[pool].counts_in_vain()) {
            counted = false;
            std::erase_if(jobs, [&](const Passed& other) { return !holds(bounds, other.job); });
            std::make_heap(jobs.begin(), jobs.end());
        }
        if (!has_started || successor_ == kNoJob) continue;
        const std::size_t listed = jobs.size();
        list_passed(its, bounds, successor_);
        if (jobs.size() > listed) std::push_heap(jobs.begin(), jobs.end());
    }
}

// A job of those that were above the threshold, which it is for good.
void PoolsPlanner::list_passed(const Pool& pool, const BackfillBounds& bounds, JobId job) {
    if (!waits(job) || starves(job) || !holds(bounds, job)) return;
    const double its_factor = factor(job);
    if (its_factor > pool.threshold)
        scratch_passed_.push_back({context_.jobs.by_hand(job), its_factor, job});
}

// Whether no further try can change anything.
bool PoolsPlanner::is_spent(PoolId pool) const {
    const Asked& asked = asked_[pool];
    return asked.is_closed() || (asked.backfill.reservations == 0 && pools_[pool].free() == 0);
}

bool PoolsPlanner::try_in(JobId job, PoolId pool) {
    Asked& asked = asked_[pool];
    if (asked.is_closed()) return false;
    const ProcCount processors = context_.jobs.processors[job];
    const Duration length = estimates_.waiting(job);
    // Past a deadline that is over nobody is let, however short.
    const bool is_late =
        asked.backfill.relaxes && asked.backfill.reservations == 0 && deadlines_[pool].at < now_;
    if (pools_[pool].fits_now(is_late ? std::max<Time>(length, 1) : length, processors) &&
        processors <= pools_[pool].free() - fenced(pool, kNoJob)) {
        start(job, pool, asked.blocked(), length_at_start(job));
        return true;
    }
    const bool is_first = !asked.blocked();
    if (is_first) {
        asked.blocked_by = job;
        asked.line = line_;
    }
    const bool reserves = asked.backfill.reservations > 0 && may_reserve(job, pool);
    if (reserves) {
        reserve(job, pool, std::max<Time>(length, 1));
        --asked.backfill.reservations;
    }
    if ((is_first || reserves) && eligibility_.has_limits()) respected_.push_back(job);
    return false;
}

// Under `relaxed` at the deadline the job was given when it became the head of the pool.
void PoolsPlanner::reserve(JobId job, PoolId pool, Time length) {
    const ProcCount processors = context_.jobs.processors[job];
    if (!asked_[pool].backfill.relaxes) {
        if (!pools_[pool].reserve(length, processors)) refuse_endless_search(job);
        return;
    }
    constexpr double longest_delay = 3.2e8; // ten years: as far as a calendar is ever planned
    Deadline& deadline = deadlines_[pool];
    if (deadline.job != job) {
        const Time shadow = pools_[pool].earliest(length, processors, now_);
        if (shadow == kNever) refuse_endless_search(job);
        const auto faced = static_cast<double>(shadow - context_.jobs.submit(job));
        const auto delay = std::min(asked_[pool].backfill.relaxation * faced, longest_delay);
        const Time latest = shadow + static_cast<Time>(delay);
        deadline = {job, pools_[pool].earliest(length, processors, latest)};
        if (deadline.at == kNever) refuse_endless_search(job);
    }
    pools_[pool].reserve_at(deadline.at, length, processors);
}

// A job for which there is no place is rejected as it is submitted: this is for what that
// overlooks.
void PoolsPlanner::refuse_endless_search(JobId job) const {
    const auto& ids = context_.jobs.table->job_id;
    throw std::runtime_error(
        "no place is found for job " + std::to_string(ids.empty() ? job : ids[job]) + ", of " +
        std::to_string(context_.jobs.processors[job]) + " processors for " +
        std::to_string(context_.jobs.requested_time[job]) +
        " s: what recurs in the calendar always bars the way, though it should have been rejected; "
        "leave the job out, and report this as a fault of Slotwise");
}

// Where each queue has one reservation, its first blocked job takes it.
bool PoolsPlanner::may_reserve(JobId job, PoolId pool) {
    if (!asked_[pool].backfill.by_queue) return true;
    const std::pair head{pool, routing_->queue_of[job]};
    if (std::find(reserved_.begin(), reserved_.end(), head) != reserved_.end()) return false;
    reserved_.push_back(head);
    return true;
}

} // namespace slotwise
