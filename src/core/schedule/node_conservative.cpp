#include "schedule/node_conservative.hpp"

#include <algorithm>

namespace slotwise {

NodeConservative::NodeConservative(const ReplayContext& context,
                                   std::shared_ptr<const NodeJobs> jobs)
    : NodeScheduler(context, std::move(jobs)), promises_(context.jobs.size()) {}

NodeConservative::NodeConservative(const NodeConservative& other, const ReplayContext& context)
    : NodeScheduler(other, context), promises_(other.promises_), freed_(other.freed_),
      forgotten_(other.forgotten_), seen_by_all_(other.seen_by_all_) {}

void NodeConservative::pass(const Instant& instant, Starts& starts) {
    const Time now = instant.now;
    note_freed(instant.ended, now);
    const bool early = finish(instant.ended, now);
    if (queue_.size() == 0) {
        forgotten_ += freed_.size();
        freed_.clear();
        seen_by_all_ = forgotten_;
    } else if (early) {
        compress(now);
    }
    enqueue(instant.arrived);
    arrivals_.clear();
    for (const JobId job : instant.arrived.empty() ? std::span<const JobId>() : queue_.at(now))
        if (promises_[job].start == kNever) arrivals_.push_back(job);
    for (const JobId job : arrivals_) {
        give(job, plan_.earliest(demand(job), length(job), now));
        promises_[job].seen = forgotten_ + freed_.size();
    }
    start_due(now, starts);
}

void NodeConservative::note_freed(std::span<const JobId> ended, Time now) {
    for (const JobId job : ended) {
        const Time end = context_.schedule.start[job] + length(job);
        const auto places = places_.of(job);
        if (end > now) freed_.push_back({{places.begin(), places.end()}, now, end});
    }
}

// Moves each promise to the earliest place there is without it.
void NodeConservative::compress(Time now) {
    const std::size_t freed_by_ends = forgotten_ + freed_.size();
    freed_.erase(freed_.begin(),
                 freed_.begin() + static_cast<std::ptrdiff_t>(seen_by_all_ - forgotten_));
    forgotten_ = seen_by_all_;
    seen_by_all_ = freed_by_ends;
    for (const JobId job : queue_.at(now)) {
        Promise& promise = promises_[job];
        if (promise.start <= now) continue;
        const bool may = may_move(job, now);
        promise.seen = forgotten_ + freed_.size();
        if (!may) continue;
        const Time start = promise.start;
        const Time end = start + length(job);
        const Time earlier = plan_.earlier(demand(job), length(job), now, start, promise.places);
        if (earlier == kNever) continue;
        plan_.vacate_for_now(promise.places, demand(job).each, start, end);
        freed_.push_back({promise.places, start, end});
        give(job, earlier);
    }
}

// Whether what was given back since the promise was looked at lets it move. False is final.
bool NodeConservative::may_move(JobId job, Time now) const {
    const Promise& promise = promises_[job];
    const UnitDemand& asked = demand(job);
    if (!plan_.may_move(asked, length(job), now, promise.start)) return false;
    const std::size_t seen = std::max(promise.seen, forgotten_) - forgotten_;
    return std::any_of(freed_.begin() + static_cast<std::ptrdiff_t>(seen), freed_.end(),
                       [&](const Freed& freed) {
                           return plan_.may_use(asked, length(job), freed.places, freed.begin,
                                                freed.end, now, promise.start, promise.places);
                       });
}

void NodeConservative::give(JobId job, Time start) {
    Promise& promise = promises_[job];
    plan_.place(demand(job), start, length(job), node_jobs_->rule, promise.places);
    plan_.occupy(promise.places, demand(job).each, start, start + length(job));
    promise.start = start;
}

void NodeConservative::start_due(Time now, Starts& starts) {
    due_ = kNever;
    bool any_waits = false;
    const std::size_t before = starts.jobs.size();
    for (const JobId job : queue_.at(now)) {
        Promise& promise = promises_[job];
        if (promise.start > now) {
            any_waits = true;
            due_ = std::min(due_, promise.start);
            continue;
        }
        start_on(job, promise.places, any_waits, starts);
        promise.places = {};
    }
    if (starts.jobs.size() > before)
        queue_.remove_if([&](JobId job) { return promises_[job].start <= now; });
}

} // namespace slotwise
