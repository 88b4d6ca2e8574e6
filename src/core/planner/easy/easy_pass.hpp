// The pass of the EASY planner. A header, as the plain event loop compiles it in
// (engine/plain_loop.cpp).
#pragma once

#include "planner/easy/easy_planner.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotwise {

template <class Rules>
[[gnu::flatten]] inline void EasyPlanner<Rules>::plan(bool any_ended,
                                                      std::span<const JobId> arrived) {
    const bool one_arrival = arrived.size() == 1;
    if (one_arrival && queue_.empty() && context_.jobs.processors[arrived[0]] <= available()) {
        start(arrived[0], false);
        return;
    }
    const bool head_stays = rules_.plain && !any_ended && head_ != kNoJob;
    if (one_arrival && head_stays && stays_behind_head(arrived[0])) {
        try_arrival(arrived[0]);
        return;
    }
    for (const JobId job : arrived)
        enqueue(job);
    if (queue_.empty()) return;
    only_old_ = arrived.empty();
    if (rules_.is_ranked || rules_.moves)
        start_from_the_front();
    else
        start_from_the_front_by_score();
    if (head_ != kNoJob && rules_.others_pass) pass_the_head();
}

template <class Rules> inline void EasyPlanner<Rules>::end(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    free_ += processors;
    if (!rules_.tracks_releases) return;
    const Time end = end_of(job);
    releases_.remove(end, processors);
    if (!rules_.takes_requests) ends_.forget(job);
    if (end <= now_) return;
    // An early end brings the shadow nearer; a release beyond the shadow adds to what is free
    // there.
    if (end > shadow_) extra_ += processors;
    reservation_stale_ = true;
}

// The estimates of a user's waiting jobs change when one of his jobs ends.
template <class Rules> void EasyPlanner<Rules>::update_estimates(std::span<const JobId> ended) {
    estimates_.note_ended(ended);
    if (!rules_.waiting_drifts || !rules_.others_pass) return;
    for (const JobId job : ended) {
        const auto found = waiting_by_user_.find(context_.jobs.user(job));
        if (found == waiting_by_user_.end()) continue;
        std::vector<JobId>& waiting = found->second;
        std::erase_if(waiting, [&](JobId other) { return !queue_.contains(rank_of(other)); });
        for (const JobId other : waiting) {
            if (form_ == Form::listed) {
                short_.set_length(short_.find(other), length_of(other));
                continue;
            }
            by_size_->erase(other);
            by_size_->insert(other, length_of(other));
        }
    }
}

template <class Rules> bool EasyPlanner<Rules>::correct_estimates() {
    if (!rules_.tracks_releases) return false;
    bool any = false;
    ends_.correct(now_, [&](JobId job, Time old_end, Time new_end) {
        const ProcCount processors = context_.jobs.processors[job];
        releases_.remove(old_end, processors);
        releases_.add(new_end, processors, now_);
        any = true;
    });
    return any;
}

template <class Rules> inline void EasyPlanner<Rules>::enqueue(JobId job) {
    if (rules_.others_pass && !rules_.candidates_move) put_behind_head(job);
    queue_.insert(rank_of(job));
    if (rules_.moves) moving_->insert(job, now_);
    if (!rules_.others_pass || rules_.candidates_move) return;
    if (rules_.waiting_drifts) waiting_by_user_[context_.jobs.user(job)].push_back(job);
}

// Takes `job` out of the queue.
template <class Rules> void EasyPlanner<Rules>::leave(JobId job) {
    queue_.erase(rank_of(job));
    if (rules_.moves) moving_->erase(job);
    if (!rules_.others_pass || rules_.candidates_move) return;
    take_from_behind_head(job);
}

template <class Rules> inline void EasyPlanner<Rules>::start(JobId job, bool past_the_head) {
    const ProcCount processors = context_.jobs.processors[job];
    free_ -= processors;
    starts_->add(job, past_the_head);
    if (rules_.tracks_releases)
        releases_.add(rules_.takes_requests ? now_ + context_.jobs.requested_time[job]
                                            : ends_.start(job, now_, estimates_.running(job)),
                      processors, now_);
}

template <class Rules> void EasyPlanner<Rules>::start_waiting(JobId job, bool past_the_head) {
    leave(job);
    start(job, past_the_head);
}

// Starts jobs in order; afterwards head_ is the first that does not fit.
template <class Rules> void EasyPlanner<Rules>::start_from_the_front() {
    if (rules_.plain && only_old_ && head_ != kNoJob &&
        context_.jobs.processors[head_] > available() && head_is_first())
        return;
    while (!queue_.empty())
        if (!start_head(first_waiting())) return;
    head_ = kNoJob;
}

// Makes `job` the head and starts it if it fits.
template <class Rules> bool EasyPlanner<Rules>::start_head(JobId job) {
    if (job != head_) searched_ = {}; // what arrived meanwhile was not searched for this head
    head_ = job;
    if (context_.jobs.processors[head_] > available()) return false;
    start_waiting(head_, false);
    reservation_stale_ = true;
    reserved_for_ = rules_.fixed_deadline ? reserved_for_ : kNoJob;
    return true;
}

// Nothing has ended and the head is the same: only the new job can have become startable.
template <class Rules> void EasyPlanner<Rules>::try_arrival(JobId job) {
    const bool fits = rules_.others_pass && context_.jobs.processors[job] <= available();
    if (fits && passes(job)) {
        reserve();
        const bool starts = may_start(job);
        if (starts) start(job, true);
        if (form_ == Form::by_size) {
            searched_.available_end =
                std::min(searched_.available_end, by_size_->sizes_up_to(available()));
            searched_.spare_end = std::min(searched_.spare_end, by_size_->sizes_up_to(spare()));
        }
        if (starts) return;
    }
    enqueue(job);
}

// The head is blocked: starts what its reservation lets pass.
template <class Rules> void EasyPlanner<Rules>::pass_the_head() {
    if (available() == 0 && !rules_.fixed_deadline) return;
    if (form_ != Form::listed && queue_.size() <= fewest()) shorten();
    reservation_stale_ = reservation_stale_ || rules_.change_at_start;
    // Where nothing passes even under the bounds the reservation need not be known.
    const bool bounded = rules_.plain && reserved_for_ == head_ && reservation_stale_;
    if (rules_.candidates_move) {
        if (bounded && !moving_->any_within(bounds())) return;
        reserve();
        if (available() > 0) fill_moving();
        return;
    }
    if (form_ == Form::alike) {
        const std::size_t group = bounded ? alike_->first_group(bounds()) : 0;
        if (group == alike_->end()) return;
        reserve();
        if (available() > 0) fill_alike(group);
        return;
    }
    if (form_ == Form::gridded) {
        const JobId rank = bounded ? grid_->first(bounds()) : kNoJob;
        if (bounded && rank == kNoJob) return;
        reserve();
        if (available() > 0) fill_grid(rank);
        return;
    }
    if (form_ == Form::listed) {
        std::size_t slot = short_.begin();
        if (bounded) slot = short_.next(slot, bounds());
        if (slot == short_.end()) return;
        reserve();
        if (available() == 0) return;
        rules_.are_candidates_ranked ? fill_short(slot) : fill_short_by_score(slot);
        return;
    }
    if (bounded && !anyone_may_pass()) return;
    reserve();
    if (available() == 0) return;
    if (rules_.are_candidates_ranked)
        fill();
    else
        fill_by_score();
}

template <class Rules> bool EasyPlanner<Rules>::anyone_may_pass() {
    const Sizes sizes = sizes_to_search();
    if (by_size_->first_size(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength) <
            sizes.spare_end ||
        by_size_->first_size(sizes.from, sizes.end, longest_before_shadow()) < sizes.end)
        return true;
    searched_ = {head_, shadow_, sizes.end, sizes.spare_end};
    return false;
}

// From `slot` on, before which no job may pass.
template <class Rules> void EasyPlanner<Rules>::fill_short(std::size_t slot) {
    for (; available() > 0; ++slot) {
        slot = short_.next(slot, bounds());
        if (slot >= short_.end()) return;
        const JobId job = short_.job_at(slot);
        if (!may_start(job)) continue;
        queue_.erase(rank_of(job));
        if (rules_.moves) moving_->erase(job);
        short_.erase(slot);
        start(job, true);
    }
}

} // namespace slotwise
