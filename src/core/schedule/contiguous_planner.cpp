#include "schedule/contiguous_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr auto kEarlier = [](const auto& a, const auto& b) {
    return a.end < b.end || (a.end == b.end && a.job < b.job);
};

} // namespace

ContiguousPlanner::ContiguousPlanner(const ReplayContext& context)
    : context_(context), others_pass_(context.policy.backfill != "none"),
      reserves_(context.policy.backfill == "easy"), beliefs_(context_), ends_(context_, beliefs_),
      queue_(context.policy.order, context.jobs), slots_(context.site.nodes) {
    if (context.policy.backfill_order)
        candidates_.emplace(*context.policy.backfill_order, context.jobs);
}

ContiguousPlanner::ContiguousPlanner(const ContiguousPlanner& other, const ReplayContext& context)
    : context_(context), others_pass_(other.others_pass_), reserves_(other.reserves_),
      beliefs_(other.beliefs_), ends_(other.ends_),
      queue_(other.queue_, context.policy.order, context.jobs), slots_(other.slots_),
      releases_(other.releases_), reserved_for_(other.reserved_for_),
      reservation_stale_(other.reservation_stale_), shadow_(other.shadow_),
      reserved_(other.reserved_) {
    if (other.candidates_)
        candidates_.emplace(*other.candidates_, *context.policy.backfill_order, context.jobs);
    beliefs_.rebind(context_);
    ends_.rebind(context_);
}

void ContiguousPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    release(instant.ended);
    correct_estimates();
    for (const JobId job : instant.arrived)
        enqueue(job);
    queue_.sort_at(now_);
    start_from_the_front();
    if (others_pass_ && !queue_.empty() && slots_.free() > 0) pass_the_head();
}

void ContiguousPlanner::release(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        for (const Release& given_back : remove_releases(ends_.of(job, beliefs_), job))
            slots_.release(given_back.nodes);
        ends_.forget(job);
    }
    beliefs_.note_ended(ended);
    if (!ended.empty()) reservation_stale_ = true;
}

void ContiguousPlanner::correct_estimates() {
    ends_.correct(now_, [&](JobId job, Time before, Time after) {
        for (const Release& moved : remove_releases(before, job))
            add({after, job, moved.nodes});
        reservation_stale_ = true;
    });
}

void ContiguousPlanner::enqueue(JobId job) {
    queue_.insert(job);
    if (candidates_) candidates_->insert(job);
}

void ContiguousPlanner::leave(JobId job) {
    queue_.erase(job);
    if (candidates_) candidates_->erase(job);
}

void ContiguousPlanner::add(const Release& release) {
    releases_.insert(std::upper_bound(releases_.begin(), releases_.end(), release, kEarlier),
                     release);
}

// Valid until the next call.
std::span<const ContiguousPlanner::Release> ContiguousPlanner::remove_releases(Time end,
                                                                              JobId job) {
    const auto [first, last] = std::equal_range(releases_.begin(), releases_.end(),
                                                Release{end, job, {}}, kEarlier);
    removed_.assign(first, last);
    releases_.erase(first, last);
    return removed_;
}

// The nodes the allocation gives a job that starts with slots_ free; empty where none holds it.
NodeInterval ContiguousPlanner::find(NodeCount nodes) const {
    NodeInterval slot;
    switch (context_.policy.allocation) {
    case Allocation::contiguous_best:
        slot = slots_.best_fit(nodes);
        break;
    case Allocation::contiguous_worst:
        if (slots_.largest_size() >= nodes) slot = slots_.largest();
        break;
    default:
        slot = slots_.first_fit(nodes);
    }
    return slot.empty() ? slot : NodeInterval{slot.begin, slot.begin + nodes};
}

void ContiguousPlanner::start(JobId job, NodeInterval nodes, bool past_the_head) {
    leave(job);
    slots_.allocate(nodes);
    starts_->add(job, past_the_head);
    starts_->nodes.push_back(nodes);
    starts_->close_nodes();
    add({ends_.start(job, now_, beliefs_.running(job)), job, nodes});
    reservation_stale_ = true;
}

void ContiguousPlanner::start_from_the_front() {
    while (!queue_.empty()) {
        const JobId head = queue_.front();
        const NodeInterval nodes = find(nodes_of(head));
        if (nodes.empty()) return;
        start(head, nodes, false);
    }
}

// The head is blocked: starts what its reservation lets pass.
void ContiguousPlanner::pass_the_head() {
    const JobId head = queue_.front();
    if (candidates_) candidates_->sort_at(now_);
    const WaitingJobs& candidates = candidates_ ? *candidates_ : queue_;
    tried_.assign(candidates.jobs().begin(), candidates.jobs().end());
    const auto most_processors = [&] {
        return slots_.largest_size() * context_.site.processors_per_node;
    };
    bool is_held = !reserves_;
    ProcCount most = most_processors(); // no slot holds more, nor will in this pass
    for (const JobId job : tried_) {
        if (context_.jobs.processors[job] > most || job == head) continue;
        if (!is_held) hold_reservation_of(head);
        is_held = true;
        if (!reserves_ || now_ + beliefs_.waiting(job) <= shadow_)
            put_reserved_back();
        else
            set_reserved_aside();
        const NodeInterval nodes = find(nodes_of(job));
        if (nodes.empty()) continue;
        start(job, nodes, true);
        if (aside_.empty()) most = most_processors();
    }
    put_reserved_back();
}

void ContiguousPlanner::hold_reservation_of(JobId head) {
    if (reserved_for_ == head && !reservation_stale_) return;
    reserve(nodes_of(head));
    reserved_for_ = head;
    reservation_stale_ = false;
}

// Finds the reservation of a head that needs `nodes`, by having the jobs end as believed, in
// slots_ itself, and undoing it.
void ContiguousPlanner::reserve(NodeCount nodes) {
    std::size_t n_gone = 0;
    while (slots_.largest_size() < nodes) {
        shadow_ = std::max(releases_[n_gone].end, now_);
        for (; n_gone < releases_.size() && releases_[n_gone].end <= shadow_; ++n_gone)
            slots_.release(releases_[n_gone].nodes);
    }
    reserved_ = find(nodes);
    for (std::size_t i = 0; i < n_gone; ++i)
        slots_.allocate(releases_[i].nodes);
}

void ContiguousPlanner::set_reserved_aside() {
    if (!aside_.empty()) return;
    for (std::int32_t at = reserved_.begin; at < reserved_.end;) {
        NodeInterval slot = slots_.slot_at(at);
        if (slot.empty()) slot = slots_.next(at);
        if (slot.empty() || slot.begin >= reserved_.end) return;
        const NodeInterval part{std::max(slot.begin, at), std::min(slot.end, reserved_.end)};
        slots_.allocate(part);
        aside_.push_back(part);
        at = slot.end;
    }
}

void ContiguousPlanner::put_reserved_back() {
    slots_.release(aside_);
    aside_.clear();
}

void ContiguousPlanner::take_over(const Underway& underway) {
    beliefs_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const Time start = context_.schedule.start[job];
        const Time end = ends_.start(job, start, beliefs_.running(job));
        for (const NodeInterval& nodes : context_.schedule.placements.of(job)) {
            slots_.allocate(nodes);
            add({end, job, nodes});
        }
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

void ContiguousPlanner::cancel(JobId job) {
    leave(job);
    if (job == reserved_for_) reserved_for_ = kNoJob;
}

} // namespace slotwise
