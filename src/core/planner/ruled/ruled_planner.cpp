#include "planner/ruled/ruled_planner.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slotwise {

RuledPlanner::RuledPlanner(const ReplayContext& context)
    : context_(context), ranks_(context.policy.order, context.jobs),
      users_(as_user_order(ranks_.order())), waiting_(context.jobs.size()),
      free_(context.routing ? context.site.pools[0].processors : context.processors),
      releases_(context.jobs.first_submit, horizon_of(context.jobs.requested_time)) {
    if (users_ != nullptr) shares_.emplace(users_->half_life());
    if (!context.routing) return;
    eligibility_.emplace(context.site, context.jobs, *context.routing);
    lifts_ = context.site.limits.lifted_when_idle;
    if (context.site.has_calendar()) windows_.emplace(context.site, context.jobs.first_submit);
}

RuledPlanner::RuledPlanner(const RuledPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), ranks_(other.ranks_, context.policy.order),
      users_(as_user_order(ranks_.order())), shares_(other.shares_), lifts_(other.lifts_),
      eligibility_(other.eligibility_), windows_(other.windows_),
      is_queue_open_(other.is_queue_open_), waiting_(other.waiting_), patience_(other.patience_),
      free_(other.free_), is_away_(other.is_away_), releases_(other.releases_),
      n_running_(other.n_running_), now_(other.now_), head_(other.head_), shadow_(other.shadow_),
      extra_(other.extra_), is_settled_(other.is_settled_) {
    if (windows_) windows_->rebind(context_.site);
}

std::size_t RuledPlanner::queued() const {
    return eligibility_ ? eligibility_->n_free() : waiting_.n_waiting();
}

QueueId RuledPlanner::queue_number(JobId job) const {
    return context_.routing ? context_.routing->queue_of[job] : kNoQueue;
}

PoolId RuledPlanner::pool_number(JobId job) const {
    const bool ran = context_.schedule.start[job] != kNotStarted;
    return context_.routing && ran ? PoolId{0} : kAnyPool;
}

std::vector<ProcCount> RuledPlanner::free_in_pools() const {
    return context_.routing ? std::vector<ProcCount>{free()} : std::vector<ProcCount>{};
}

void RuledPlanner::describe(Schedule& schedule) const {
    if (!context_.routing) return;
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (JobId job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(queue_of(job));
        schedule.pool[job] = static_cast<std::int16_t>(pool_number(job));
    }
    schedule.has_calendar = windows_.has_value();
    if (windows_) schedule.capacity = windows_->capacity();
}

Duration RuledPlanner::window() const {
    if (!windows_) return kMaxDuration;
    return static_cast<Duration>(
        std::clamp<Time>(windows_->next_begin() - now_, 0, Time{kMaxDuration}));
}

void RuledPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    const bool is_active = n_running_ > 0 || !instant.arrived.empty();
    for (const JobId job : instant.ended)
        end(job);
    if (windows_) note_calendar();
    patience_.note_instant(now_, is_active);
    if (eligibility_ && eligibility_->has_hours()) note_hours();
    plan(instant.arrived);
    due_ = next_instant();
}

void RuledPlanner::end(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    free_ += processors;
    releases_.remove(context_.schedule.start[job] + length(job), processors);
    --n_running_;
    is_settled_ = false;
    if (shares_) shares_->note_change(context_.jobs.user(job), -processors);
    if (has_limits() && eligibility_->note_stopped(job, queue_of(job), processors))
        refresh_owners_of(job, true);
}

void RuledPlanner::note_calendar() {
    if (!windows_->follow(now_, patience_)) return;
    is_away_ = windows_->is_away();
    is_settled_ = false;
}

// Opens and closes classes as their queues have.
void RuledPlanner::note_hours() {
    std::vector<std::uint8_t> open;
    for (std::size_t queue = 0; queue < context_.site.queues.size(); ++queue)
        open.push_back(eligibility_->is_open(static_cast<QueueId>(queue), now_) ? 1 : 0);
    if (open == is_queue_open_) return;
    is_queue_open_ = std::move(open);
    is_settled_ = false;
    for (Slot slot = 0; slot < waiting_.size(); ++slot)
        waiting_.set_open(slot, is_eligible(waiting_.front(slot)));
}

// A limit of the owners of `job` may have opened or closed their classes.
void RuledPlanner::refresh_owners_of(JobId job, bool opens) {
    for (Slot slot = 0; slot < waiting_.size(); ++slot) {
        const JobId front = waiting_.front(slot);
        if (waiting_.is_open(slot) != opens && eligibility_->may_share_limits(front, job))
            waiting_.set_open(slot, is_eligible(front));
    }
}

void RuledPlanner::plan(std::span<const JobId> arrived) {
    if (eligibility_)
        for (const JobId job : arrived)
            eligibility_->note_waiting(job, queue_of(job));
    if (arrived.size() == 1) {
        if (settle_arrival(arrived[0])) return;
    } else {
        for (const JobId job : arrived)
            enqueue(job);
        is_settled_ = is_settled_ && arrived.empty();
    }
    if (waiting_.empty()) return;
    if (!is_settled_) settle();
    if (lifts_ && waiting_.n_open() == 0 && !waiting_.empty()) start_when_lifted();
}

// Handles one arrival; true if no other job can start. While the head stays, its reservation
// decides about a job that ranks behind it.
bool RuledPlanner::settle_arrival(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const bool is_alone = waiting_.n_open() == 0;
    const bool is_behind = is_settled_ && ranks_.rank_of(head_) < ranks_.rank_of(job);
    if (!is_eligible(job) || (!is_alone && !is_behind)) {
        const bool was_settled = is_settled_ && (is_behind || !is_eligible(job));
        enqueue(job);
        is_settled_ = was_settled;
        return was_settled;
    }
    if (is_alone ? !has_room(processors, length(job)) : !may_pass(processors, length(job))) {
        enqueue(job);
        return !is_alone;
    }
    if (is_alone) drop_reservation();
    take_processors(job, !is_alone);
    if (is_alone) return !lifts_;
    is_settled_ = is_eligible(head_);
    return is_settled_;
}

void RuledPlanner::enqueue(JobId job) {
    const Slot slot =
        waiting_.put({job, ranks_.rank_of(job), context_.jobs.processors[job], length(job),
                      hash(job), shares_ ? shares_->number_of(context_.jobs.user(job)) : 0},
                     [&](JobId last) { return is_alike(last, job); });
    if (slot != kNoSlot) waiting_.set_open(slot, is_eligible(job));
}

std::uint32_t RuledPlanner::hash(JobId job) const {
    std::uint32_t hash = static_cast<std::uint32_t>(context_.jobs.processors[job]) * 0x85EBCA6BU;
    hash = (hash ^ length(job)) * 0x9E3779B1U;
    if (users_ != nullptr || has_limits())
        hash = (hash ^ static_cast<std::uint32_t>(context_.jobs.user(job))) * 0x85EBCA6BU;
    return hash >> 16U;
}

// True if `job` comes after `last`, and can start only once `last` could.
bool RuledPlanner::is_alike(JobId last, JobId job) const {
    const ReplayJobs& jobs = context_.jobs;
    return last < job && ranks_.rank_of(last) < ranks_.rank_of(job) &&
           jobs.processors[last] == jobs.processors[job] && length(last) == length(job) &&
           queue_of(last) == queue_of(job) &&
           (users_ == nullptr || jobs.user(last) == jobs.user(job)) &&
           (!has_limits() || eligibility_->have_same_owners(last, job));
}

// Starts jobs until no waiting one may start. A start may fill the limit of the head; then the next
// eligible job is head.
void RuledPlanner::settle() {
    do {
        is_settled_ = false;
        drop_reservation();
        if (!waiting_.any_within(bounds())) return;
        if (ranks_.drifts()) rank([&](Slot slot) { return waiting_.is_open(slot); });
        Slot head;
        while ((head = first_open()) != kNoSlot &&
               has_room(waiting_.processors(head), waiting_.length(head)))
            start(head, false);
        if (head == kNoSlot) return;
        reserve(head);
        pass_the_head();
    } while (!is_eligible(head_));
    is_settled_ = !ranks_.drifts();
}

void RuledPlanner::drop_reservation() {
    head_ = kNoJob;
    shadow_ = kNever;
    extra_ = 0;
}

// Reserves the earliest start of the head. If it cannot end before the next maintenance, it starts
// after it, and any job that ends before may pass.
void RuledPlanner::reserve(Slot head) {
    head_ = waiting_.front(head);
    const Time next_begin = windows_ ? windows_->next_begin() : kNever;
    const ProcCount processors = waiting_.processors(head);
    shadow_ = next_begin;
    extra_ = 0;
    if (processors <= free_) return;
    const Releases::Point enough = releases_.reaching(processors - free_);
    const Time shadow = std::max(enough.time, now_);
    if (next_begin != kNever && shadow + std::max<Time>(waiting_.length(head), 1) > next_begin)
        return;
    shadow_ = shadow;
    extra_ = free_ + enough.released - processors;
}

// Jobs that may pass the head lie within these bounds, or all that have room, without one.
BackfillBounds RuledPlanner::bounds() const {
    const Duration longest = window();
    const auto before_shadow =
        static_cast<Duration>(std::clamp<Time>(shadow_ - now_, 0, Time{longest}));
    return {free(), before_shadow,
            static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, free()))};
}

void RuledPlanner::pass_the_head() {
    while (true) {
        const BackfillBounds its = bounds();
        if (its.free == 0) return;
        const Slot slot = first_within(its);
        if (slot == kNoSlot) return;
        start(slot, true);
    }
}

// Open class whose front comes first of those that may pass the head.
RuledPlanner::Slot RuledPlanner::first_within(const BackfillBounds& bounds) {
    const Duration longest = window();
    if (!ranks_.drifts()) return waiting_.first_within(bounds, longest);
    Slot found = kNoSlot;
    waiting_.for_each_within(bounds, [&](Slot slot) {
        if (waiting_.length(slot) <= longest && (found == kNoSlot || precedes(slot, found)))
            found = slot;
    });
    return found;
}

RuledPlanner::Slot RuledPlanner::first_open() {
    if (!ranks_.drifts()) return waiting_.first();
    Slot found = kNoSlot;
    for (Slot slot = 0; slot < waiting_.size(); ++slot)
        if (waiting_.is_open(slot) && (found == kNoSlot || precedes(slot, found))) found = slot;
    return found;
}

bool RuledPlanner::precedes(Slot one, Slot other) {
    if (!ranks_.drifts()) return waiting_.rank(one) < waiting_.rank(other);
    if (shares_) {
        const int difference = shares_->compare(waiting_.user(one), waiting_.user(other));
        if (difference != 0) return difference < 0;
    } else {
        const double lead = scores_[one] - scores_[other];
        if (std::abs(lead) > lines_.doubt()) return lead > 0;
        return precedes_by_score(waiting_.front(one), waiting_.front(other));
    }
    return waiting_.front(one) < waiting_.front(other);
}

// Starts jobs regardless of limits of one user or group, in order, until one does not fit.
void RuledPlanner::start_when_lifted() {
    drop_reservation();
    if (free() == 0) return;
    if (ranks_.drifts()) rank([](Slot) { return true; });
    while (true) {
        Slot found = kNoSlot;
        for (Slot slot = 0; slot < waiting_.size(); ++slot)
            if (is_eligible_when_lifted(waiting_.front(slot)) &&
                (found == kNoSlot || precedes(slot, found)))
                found = slot;
        if (found == kNoSlot || !has_room(waiting_.processors(found), waiting_.length(found)))
            return;
        start(found, false);
    }
}

// Prepares precedes() at this instant, for the classes for which wanted(slot).
template <class Wanted> void RuledPlanner::rank(Wanted&& wanted) {
    if (shares_) return shares_->set_now(*users_, context_.jobs, now_);
    lines_.set_now(context_.jobs, now_, waiting_.size());
    scores_.resize(waiting_.size());
    for (Slot slot = 0; slot < waiting_.size(); ++slot)
        if (wanted(slot)) score(slot);
}

bool RuledPlanner::precedes_by_score(JobId one, JobId other) const {
    const std::array<JobId, 2> both{one, other};
    std::array<double, 2> scores{};
    ranks_.order().score(context_.jobs, both, now_, scores);
    return scores[0] != scores[1] ? scores[0] > scores[1] : one < other;
}

void RuledPlanner::start(Slot slot, bool past_the_head) {
    const JobId job = waiting_.front(slot);
    const bool has_next =
        waiting_.pop_front(slot, [&](JobId next) { return ranks_.rank_of(next); });
    if (scores()) {
        if (has_next) {
            score(slot);
        } else {
            scores_[slot] = scores_.back();
            scores_.pop_back();
        }
    }
    take_processors(job, past_the_head);
}

void RuledPlanner::take_processors(JobId job, bool past_the_head) {
    const ProcCount processors = context_.jobs.processors[job];
    const Time end = now_ + length(job);
    free_ -= processors;
    releases_.add(end, processors, now_);
    if (end > shadow_) extra_ -= processors;
    ++n_running_;
    starts_->add(job, past_the_head);
    if (shares_) shares_->note_change(context_.jobs.user(job), processors);
    if (!eligibility_) return;
    const QueueId queue = queue_of(job);
    eligibility_->note_started(job, queue, processors);
    if (has_limits() && eligibility_->may_hold_back(job, queue)) refresh_owners_of(job, false);
}

Time RuledPlanner::next_instant() const {
    if (!eligibility_ || gives_up()) return kNever;
    const Time opening = eligibility_->next_opening(now_);
    const bool has_work = n_running_ > 0 || eligibility_->n_coming() > 0;
    return windows_ && has_work ? std::min(opening, windows_->next_change()) : opening;
}

} // namespace slotwise
