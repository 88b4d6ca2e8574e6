#include "schedule/node_conservative.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

NodeConservative::NodeConservative(const ReplayContext& context,
                                   std::shared_ptr<const NodeJobs> jobs)
    : NodeScheduler(context, std::move(jobs)), start_(context.jobs.size(), kNever),
      places_of_promise_(context.jobs.size()) {}

NodeConservative::NodeConservative(const NodeConservative& other, const ReplayContext& context)
    : NodeScheduler(other, context), start_(other.start_),
      places_of_promise_(other.places_of_promise_) {}

void NodeConservative::pass(const Instant& instant, Starts& starts) {
    const Time now = instant.now;
    const bool early = finish(instant.ended, now);
    if (early && queue_.size() > 0) compress(now);
    enqueue(instant.arrived);
    arrivals_.clear();
    for (const JobId job : instant.arrived.empty() ? std::span<const JobId>() : queue_.at(now))
        if (start_[job] == kNever) arrivals_.push_back(job);
    for (const JobId job : arrivals_)
        promise(job, plan_.earliest(demand(job), length(job), now));
    start_due(now, starts);
}

// Takes each promise out and puts it back at the earliest place.
void NodeConservative::compress(Time now) {
    for (const JobId job : queue_.at(now)) {
        const Time start = start_[job];
        if (start <= now || !plan_.may_move(demand(job), length(job), now, start)) continue;
        const Amounts& each = demand(job).each;
        std::vector<Place>& places = places_of_promise_[job];
        plan_.vacate(places, each, start, start + length(job));
        const Time earlier = plan_.earliest(demand(job), length(job), now, start);
        if (earlier == kNever)
            plan_.occupy(places, each, start, start + length(job));
        else
            promise(job, earlier);
    }
}

void NodeConservative::promise(JobId job, Time start) {
    std::vector<Place>& places = places_of_promise_[job];
    plan_.place(demand(job), start, length(job), node_jobs_->rule, places);
    plan_.occupy(places, demand(job).each, start, start + length(job));
    start_[job] = start;
}

void NodeConservative::start_due(Time now, Starts& starts) {
    due_ = kNever;
    bool any_waits = false;
    const std::size_t before = starts.jobs.size();
    for (const JobId job : queue_.at(now)) {
        if (start_[job] > now) {
            any_waits = true;
            due_ = std::min(due_, start_[job]);
            continue;
        }
        start_on(job, places_of_promise_[job], any_waits, starts);
        places_of_promise_[job] = {};
    }
    if (starts.jobs.size() > before)
        queue_.remove_if([&](JobId job) { return start_[job] <= now; });
}

} // namespace slotwise
