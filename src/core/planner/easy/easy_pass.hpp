// The pass of the EASY planner. It is in a header because engine/plain_loop.cpp compiles it into
// the plain event loop.
#pragma once

#include "planner/easy/easy_planner.hpp"
#include "planner/easy/pass_in_order.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotwise {

template <class Rules>
[[gnu::flatten]] inline void EasyPlanner<Rules>::plan(bool any_ended,
                                                      std::span<const JobId> arrived) {
    const bool one_arrival = arrived.size() == 1;
    if (one_arrival && queue_.empty() && jobs_.processors(arrived[0]) <= reservation_.available()) {
        start(arrived[0], false);
        return;
    }
    const bool head_stays = rules_.plain && !any_ended && reservation_.head() != kNoJob;
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
    if (reservation_.head() != kNoJob && rules_.others_pass) pass_the_head();
}

template <class Rules> inline void EasyPlanner<Rules>::end(JobId job) {
    const ProcCount processors = jobs_.processors(job);
    reservation_.vacate(processors);
    if (!rules_.tracks_releases) return;
    const Time end = end_of(job);
    if (!rules_.takes_requests) ends_.forget(job);
    reservation_.remove_release(end, processors);
}

// Updates the estimates of waiting jobs. When a job ends, the estimates of all waiting jobs of the
// same user may change.
template <class Rules> void EasyPlanner<Rules>::update_estimates(std::span<const JobId> ended) {
    estimates_.note_ended(ended);
    if (!rules_.waiting_drifts || !rules_.others_pass) return;
    for (const JobId job : ended) {
        const auto found = waiting_by_user_.find(context_.jobs.user(job));
        if (found == waiting_by_user_.end()) continue;
        std::vector<JobId>& waiting = found->second;
        std::erase_if(waiting, [&](JobId other) { return !queue_.contains(jobs_.rank_of(other)); });
        for (const JobId other : waiting)
            candidates_.update_length(other);
    }
}

template <class Rules> bool EasyPlanner<Rules>::correct_estimates() {
    if (!rules_.tracks_releases) return false;
    bool any = false;
    ends_.correct(reservation_.now(), [&](JobId job, Time old_end, Time new_end) {
        reservation_.move_release(old_end, new_end, jobs_.processors(job));
        any = true;
    });
    return any;
}

template <class Rules> inline void EasyPlanner<Rules>::enqueue(JobId job) {
    if (rules_.others_pass && !rules_.candidates_move) candidates_.put(job);
    queue_.insert(jobs_.rank_of(job));
    if (rules_.moves) moving_->insert(job, reservation_.now());
    if (!rules_.others_pass || rules_.candidates_move) return;
    if (rules_.waiting_drifts) waiting_by_user_[context_.jobs.user(job)].push_back(job);
}

template <class Rules> void EasyPlanner<Rules>::leave(JobId job) {
    queue_.erase(jobs_.rank_of(job));
    if (rules_.moves) moving_->erase(job);
    if (!rules_.others_pass || rules_.candidates_move) return;
    candidates_.take(job);
}

template <class Rules> inline void EasyPlanner<Rules>::start(JobId job, bool past_the_head) {
    const ProcCount processors = jobs_.processors(job);
    reservation_.occupy(processors);
    starts_->add(job, past_the_head);
    if (!rules_.tracks_releases) return;
    const Time now = reservation_.now();
    reservation_.add_release(rules_.takes_requests ? now + context_.jobs.requested_time[job]
                                                   : ends_.start(job, now, estimates_.running(job)),
                             processors);
}

template <class Rules> void EasyPlanner<Rules>::start_waiting(JobId job, bool past_the_head) {
    leave(job);
    start(job, past_the_head);
}

// Starts jobs in order until one does not fit. That job is then reservation_.head().
template <class Rules> void EasyPlanner<Rules>::start_from_the_front() {
    if (rules_.plain && only_old_ && reservation_.head() != kNoJob &&
        jobs_.processors(reservation_.head()) > reservation_.available() && head_is_first())
        return;
    while (!queue_.empty())
        if (!start_head(first_waiting())) return;
    reservation_.set_head(kNoJob);
}

// Makes `job` the head, and starts it if it fits. Returns true if it has started.
template <class Rules> bool EasyPlanner<Rules>::start_head(JobId job) {
    if (job != reservation_.head()) search_.forget(); // the last search was for another head
    reservation_.set_head(job);
    if (jobs_.processors(job) > reservation_.available()) return false;
    start_waiting(job, false);
    reservation_.mark_stale();
    if (!rules_.fixed_deadline) reservation_.drop();
    return true;
}

// Handles a single arrival if no job has ended and the new job ranks behind the head. Only the new
// job can then start.
template <class Rules> void EasyPlanner<Rules>::try_arrival(JobId job) {
    const bool fits = rules_.others_pass && jobs_.processors(job) <= reservation_.available();
    if (fits && reservation_.passes(job)) {
        reservation_.reserve();
        const bool starts = reservation_.may_start(job);
        if (starts) start(job, true);
        if (candidates_.form() == Form::by_size) search_.narrow();
        if (starts) return;
    }
    enqueue(job);
}

// Starts the jobs that may pass the head without delaying its reservation. Called when the head is
// blocked.
template <class Rules> void EasyPlanner<Rules>::pass_the_head() {
    if (reservation_.available() == 0 && !rules_.fixed_deadline) return;
    if (candidates_.should_shorten()) {
        candidates_.shorten();
        search_.forget();
    }
    if (rules_.change_at_start) reservation_.mark_stale();
    // A stale reservation need not be updated if its bounds already keep every job from passing the
    // head.
    const bool bounded = rules_.plain && reservation_.bounds_head();
    if (rules_.candidates_move) {
        if (bounded && !moving_->any_within(reservation_.bounds())) return;
        reservation_.reserve();
        if (reservation_.available() > 0) fill_moving();
        return;
    }
    if (candidates_.form() == Form::rows) {
        const JobClassQueue& rows = candidates_.rows();
        const std::size_t group = bounded ? rows.first_group(reservation_.bounds()) : 0;
        if (group == rows.end()) return;
        reservation_.reserve();
        if (reservation_.available() > 0) fill_rows(group);
        return;
    }
    if (candidates_.form() == Form::gridded) {
        const JobId rank = bounded ? candidates_.grid().first(reservation_.bounds()) : kNoJob;
        if (bounded && rank == kNoJob) return;
        reservation_.reserve();
        if (reservation_.available() > 0) fill_grid(rank);
        return;
    }
    if (candidates_.form() == Form::listed) {
        const ShortQueue& list = candidates_.list();
        std::size_t slot = list.begin();
        if (bounded) slot = list.next(slot, reservation_.bounds());
        if (slot == list.end()) return;
        reservation_.reserve();
        if (reservation_.available() == 0) return;
        rules_.are_candidates_ranked ? fill_short(slot) : fill_short_by_score(slot);
        return;
    }
    if (bounded && !search_.anyone_may_pass(only_old_)) return;
    reservation_.reserve();
    if (reservation_.available() == 0) return;
    if (rules_.are_candidates_ranked)
        fill();
    else
        fill_by_score();
}

// Searches the jobs from `slot` onwards, and starts those that may pass the head. Requires that no
// job before `slot` can pass it.
template <class Rules> void EasyPlanner<Rules>::fill_short(std::size_t slot) {
    ShortQueue& list = candidates_.list();
    pass_the_head_in_order(list, slot, reservation_, [&](std::size_t at, bool past_the_head) {
        const JobId job = list.job_at(at);
        queue_.erase(jobs_.rank_of(job));
        if (rules_.moves) moving_->erase(job);
        list.erase(at);
        start(job, past_the_head);
        return at + 1;
    });
}

} // namespace slotwise
