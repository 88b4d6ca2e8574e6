#include "planner/independent_pools.hpp"

#include "order/order.hpp"

#include <algorithm>

namespace slotwise {

namespace {

const OrderSpec& order_of(const Site& site, const Queue& queue) {
    return queue.has_order ? queue.order : site.policy.order;
}

// Returns true if the queue has only one pool, and no rules of its own apart from its order.
bool is_bare(const Site& site, const Queue& queue) {
    return queue.pools.size() == 1 && !queue.spanning &&
           !site.pools[queue.pools[0]].has_threshold && queue.limits == Limits{} &&
           queue.starvation == kNever && queue.hours.empty();
}

// Returns true if the jobs of both queues can be ordered as if they were in a single queue.
bool are_one(const Site& site, const Queue& a, const Queue& b) {
    return order_of(site, a) == order_of(site, b) &&
           (a.priority == b.priority || make_order(order_of(site, a))->weighs_queue_priority());
}

} // namespace

bool IndependentPools::fits(const Site& site) {
    const bool is_ruled = site.has_limits() || site.has_calendar() || site.dependencies;
    // If run times are predicted from users' histories, pools are not independent, because they
    // share these histories.
    if (is_ruled || site.policy.estimates == Estimates::user_history ||
        site.policy.passes == Passes::per_event)
        return false;
    const BackfillEntry& entry = backfill_registry().find(site.policy.backfill);
    const bool is_by_queue = entry.plan != nullptr && entry.plan(site.policy, 1).by_queue;
    std::vector<const Queue*> first(site.pools.size(), nullptr); // one element per pool
    return std::all_of(site.queues.begin(), site.queues.end(), [&](const Queue& queue) {
        if (!is_bare(site, queue)) return false;
        const Queue*& known = first[queue.pools[0]];
        if (known == nullptr)
            known = &queue;
        else if (is_by_queue)
            return false;
        return are_one(site, *known, queue);
    });
}

IndependentPools::Layout::Layout(const Site& site) : policies(site.pools.size(), site.policy) {
    for (const Pool& pool : site.pools)
        processors.push_back(pool.processors);
    for (const Queue& queue : site.queues) {
        pool_of.push_back(queue.pools[0]);
        policies[queue.pools[0]].order = order_of(site, queue);
    }
}

IndependentPools::IndependentPools(const ReplayContext& context,
                                   std::shared_ptr<const Routing> routing)
    : context_(context), routing_(std::move(routing)),
      layout_(std::make_shared<const Layout>(context.site)), parts_(layout_->policies.size()),
      free_(layout_->processors) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Policy& policy = layout_->policies[p];
        const ReplayContext part{context.jobs, context.site, policy, layout_->processors[p],
                                 context.schedule};
        parts_[p].scheduler = backfill_registry().find(policy.backfill).make(part);
        parts_[p].drifts = parts_[p].scheduler->drifts();
        drifts_ = drifts_ || parts_[p].drifts;
    }
}

IndependentPools::IndependentPools(const IndependentPools& other, const ReplayContext& context)
    : Scheduler(other), context_(context), routing_(other.routing_), layout_(other.layout_),
      parts_(other.parts_.size()), free_(other.free_), drifts_(other.drifts_) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const ReplayContext part{context.jobs, context.site, layout_->policies[p],
                                 layout_->processors[p], context.schedule};
        parts_[p].scheduler = other.parts_[p].scheduler->clone(part);
        parts_[p].drifts = other.parts_[p].drifts;
    }
}

void IndependentPools::pass(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended)
        free_[pool_of(job)] += context_.jobs.processors[job];
    const std::size_t started_before = starts.jobs.size();
    const bool has_one_event = instant.ended.size() + instant.arrived.size() == 1;
    if (has_one_event && !drifts_ && due_ > instant.now) {
        const JobId job = instant.ended.empty() ? instant.arrived[0] : instant.ended[0];
        Scheduler& scheduler = *part_of(job).scheduler;
        scheduler.pass(instant, starts);
        note_due(due_ != kNever || scheduler.next_due() != kNever);
    } else {
        pass_in_parts(instant, starts);
    }
    for (std::size_t at = started_before; at < starts.jobs.size(); ++at)
        free_[pool_of(starts.jobs[at].job)] -= context_.jobs.processors[starts.jobs[at].job];
}

void IndependentPools::pass_in_parts(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended)
        touch(pool_of(job)).ended.push_back(job);
    for (const JobId job : instant.arrived)
        touch(pool_of(job)).arrived.push_back(job);
    if (drifts_ || due_ <= instant.now)
        for (std::size_t p = 0; p < parts_.size(); ++p)
            if (parts_[p].scheduler->next_due() <= instant.now ||
                (parts_[p].drifts && parts_[p].scheduler->queued() > 0))
                touch(static_cast<PoolId>(p));
    if (touched_.size() > 1) std::sort(touched_.begin(), touched_.end());
    bool any_due = due_ != kNever;
    for (const PoolId pool : touched_) {
        Part& part = parts_[pool];
        part.scheduler->pass({instant.now, part.ended, part.arrived}, starts);
        any_due = any_due || part.scheduler->next_due() != kNever;
        part.is_touched = false;
        part.ended.clear();
        part.arrived.clear();
    }
    touched_.clear();
    note_due(any_due);
}

void IndependentPools::note_due(bool any) {
    due_ = kNever;
    if (!any) return;
    for (const Part& part : parts_)
        due_ = std::min(due_, part.scheduler->next_due());
}

IndependentPools::Part& IndependentPools::touch(PoolId pool) {
    Part& part = parts_[pool];
    if (!part.is_touched) touched_.push_back(pool);
    part.is_touched = true;
    return part;
}

std::size_t IndependentPools::queued() const {
    std::size_t queued = 0;
    for (const Part& part : parts_)
        queued += part.scheduler->queued();
    return queued;
}

void IndependentPools::describe(Schedule& schedule) const {
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
