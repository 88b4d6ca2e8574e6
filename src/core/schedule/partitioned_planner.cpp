#include "schedule/partitioned_planner.hpp"

#include "order/order.hpp"

#include <algorithm>

namespace slotwise {

namespace {

const OrderSpec& order_of(const Site& site, const Queue& queue) {
    return queue.has_order ? queue.order : site.policy.order;
}

// Whether a queue says no more than which jobs go to which pool, and in which order.
bool is_bare(const Site& site, const Queue& queue) {
    return queue.pools.size() == 1 && !queue.spanning &&
           !site.pools[queue.pools[0]].has_threshold && queue.limits == Limits{} &&
           queue.starvation == kNever && queue.hours.empty();
}

// Whether the jobs of both are compared as those of one queue are.
bool are_one(const Site& site, const Queue& a, const Queue& b) {
    return order_of(site, a) == order_of(site, b) &&
           (a.priority == b.priority || make_order(order_of(site, a))->weighs_queue_priority());
}

} // namespace

bool PartitionedPlanner::fits(const Site& site) {
    const bool is_ruled = site.limits != Limits{} || site.has_calendar() || site.dependencies;
    // The history of a user is one for all pools.
    if (is_ruled || site.policy.estimates == Estimates::user_history) return false;
    std::vector<const Queue*> first(site.pools.size(), nullptr); // by pool
    return std::all_of(site.queues.begin(), site.queues.end(), [&](const Queue& queue) {
        if (!is_bare(site, queue)) return false;
        const Queue*& known = first[queue.pools[0]];
        if (known == nullptr) known = &queue;
        return are_one(site, *known, queue);
    });
}

PartitionedPlanner::Layout::Layout(const Site& site)
    : policies(site.pools.size(), site.policy) {
    for (const Pool& pool : site.pools)
        processors.push_back(pool.processors);
    for (const Queue& queue : site.queues) {
        pool_of.push_back(queue.pools[0]);
        policies[queue.pools[0]].order = order_of(site, queue);
    }
}

PartitionedPlanner::PartitionedPlanner(const ReplayContext& context,
                                       std::shared_ptr<const Routing> routing)
    : context_(context), routing_(std::move(routing)),
      layout_(std::make_shared<const Layout>(completed(context.site))),
      parts_(layout_->policies.size()) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Policy& policy = layout_->policies[p];
        const ReplayContext part{context.jobs, context.site, policy, layout_->processors[p],
                                 context.schedule};
        parts_[p].scheduler = scheduler_registry().find(policy.backfill).make(part);
        parts_[p].drifts = parts_[p].scheduler->drifts();
    }
}

PartitionedPlanner::PartitionedPlanner(const PartitionedPlanner& other,
                                       const ReplayContext& context)
    : Scheduler(other), context_(context), routing_(other.routing_), layout_(other.layout_),
      parts_(other.parts_.size()) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const ReplayContext part{context.jobs, context.site, layout_->policies[p],
                                 layout_->processors[p], context.schedule};
        parts_[p].scheduler = other.parts_[p].scheduler->clone(part);
        parts_[p].drifts = other.parts_[p].drifts;
    }
}

void PartitionedPlanner::pass(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended) {
        Part& part = part_of(job);
        part.ended.push_back(job);
        part.touched = true;
    }
    for (const JobId job : instant.arrived) {
        Part& part = part_of(job);
        part.arrived.push_back(job);
        part.touched = true;
    }
    due_ = kNever;
    for (Part& part : parts_) {
        Scheduler& scheduler = *part.scheduler;
        if (part.touched || scheduler.next_due() <= instant.now ||
            (part.drifts && scheduler.queued() > 0)) {
            scheduler.pass({instant.now, part.ended, part.arrived}, starts);
            part.touched = false;
            part.ended.clear();
            part.arrived.clear();
        }
        due_ = std::min(due_, scheduler.next_due());
    }
}

bool PartitionedPlanner::drifts() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.drifts; });
}

std::size_t PartitionedPlanner::queued() const {
    std::size_t queued = 0;
    for (const Part& part : parts_)
        queued += part.scheduler->queued();
    return queued;
}

void PartitionedPlanner::describe(Schedule& schedule) const {
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (JobId job = 0; job < n; ++job) {
        const bool ran = schedule.start[job] != kNotStarted;
        schedule.queue[job] = static_cast<std::int16_t>(routing_->queue_of[job]);
        schedule.pool[job] = static_cast<std::int16_t>(ran ? pool_of(job) : kAnyPool);
    }
}

} // namespace slotwise
