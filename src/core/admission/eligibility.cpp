#include "admission/eligibility.hpp"

#include <algorithm>
#include <unordered_map>

namespace slotwise {

namespace {

bool is_limited(const Site& site) {
    return site.limits != Limits{} ||
           std::any_of(site.queues.begin(), site.queues.end(),
                       [](const Queue& queue) { return queue.limits != Limits{}; });
}

struct Owners {
    std::vector<Owner> of_job;
    std::size_t n_users = 0;
    std::size_t n_groups = 0;
};

Owners owners_of(const Site& site, const ReplayJobs& jobs) {
    Owners owners;
    if (!is_limited(site)) return owners;
    std::unordered_map<std::int32_t, std::uint32_t> users;
    std::unordered_map<std::int32_t, std::uint32_t> groups;
    const auto number = [](auto& seen, std::int32_t who) {
        if (who < 0) return Owner::kUnknown;
        return seen.try_emplace(who, static_cast<std::uint32_t>(seen.size())).first->second;
    };
    owners.of_job.reserve(jobs.size());
    for (JobId job = 0; job < jobs.size(); ++job)
        owners.of_job.push_back({number(users, jobs.user(job)), number(groups, jobs.group(job))});
    owners.n_users = users.size();
    owners.n_groups = groups.size();
    return owners;
}

} // namespace

Eligibility::Eligibility(const Site& site, const ReplayJobs& jobs, const Routing& routing)
    : site_limits_(Limits{}, 0, 0), n_coming_of_(site.queues.size(), 0) {
    Owners owners = owners_of(site, jobs);
    site_limits_ = LimitCounts(site.limits, owners.n_users, owners.n_groups);
    unruled_ = owners.of_job.empty();
    for (const Queue& queue : site.queues) {
        limits_.emplace_back(queue.limits, owners.n_users, owners.n_groups);
        hours_.emplace_back(queue.hours, site.midnight);
        has_hours_ = has_hours_ || !queue.hours.empty();
    }
    owners_ = std::make_shared<const std::vector<Owner>>(std::move(owners.of_job));
    if (site.dependencies) dependencies_ = Dependencies(jobs, routing.reject_reason);
    unruled_ = unruled_ && !has_hours_ && !dependencies_.any();
}

bool Eligibility::is_within_queued(JobId job, QueueId queue) const {
    const Owner who = owner(job);
    return limits_[queue].is_within_queued(who, job) && site_limits_.is_within_queued(who, job);
}

bool Eligibility::allows_when_lifted(JobId job, QueueId queue, ProcCount processors,
                                     Time now) const {
    if (!has_limits() || !is_ready(job, queue, now)) return false;
    const Owner who = owner(job);
    return limits_[queue].fits_now(who, processors) && site_limits_.has_room_in_all(processors) &&
           is_within_queued(job, queue);
}

void Eligibility::note_waiting(JobId job, QueueId queue) {
    if (!is_held(job)) count_free(job, queue, 1);
    if (!has_limits()) return;
    limits_[queue].add_waiting(owner(job), job);
    site_limits_.add_waiting(owner(job), job);
}

void Eligibility::note_cancelled(JobId job, QueueId queue) {
    if (!is_held(job)) count_free(job, queue, -1);
    if (!has_limits()) return;
    limits_[queue].remove_waiting(owner(job), job);
    site_limits_.remove_waiting(owner(job), job);
}

void Eligibility::note_started(JobId job, QueueId queue, ProcCount processors) {
    note_cancelled(job, queue);
    if (!has_limits()) return;
    limits_[queue].count(owner(job), processors, 1);
    site_limits_.count(owner(job), processors, 1);
}

bool Eligibility::note_stopped(JobId job, QueueId queue, ProcCount processors) {
    if (!has_limits()) return false;
    const Owner who = owner(job);
    const bool eases = limits_[queue].may_ease(who) || site_limits_.may_ease(who);
    limits_[queue].count(who, processors, -1);
    site_limits_.count(who, processors, -1);
    return eases;
}

void Eligibility::hold(JobId job, QueueId queue, bool waits) {
    if (is_held(job)) return;
    if (held_.size() <= job) held_.resize(job + 1, 0);
    held_[job] = 1;
    ++n_held_;
    if (waits) count_free(job, queue, -1);
}

void Eligibility::release(JobId job, QueueId queue, bool waits) {
    if (!is_held(job)) return;
    held_[job] = 0;
    --n_held_;
    if (waits) count_free(job, queue, 1);
}

void Eligibility::count_free(JobId job, QueueId queue, int sign) {
    n_free_ += static_cast<std::size_t>(sign);
    if (dependencies_.opens(job) != kNever) count_coming(queue, sign);
}

void Eligibility::count_coming(QueueId queue, int sign) {
    n_coming_ += static_cast<std::size_t>(sign);
    n_coming_of_[queue] += static_cast<std::size_t>(sign);
}

Time Eligibility::next_opening(Time now) const {
    Time next = kNever;
    if (!has_hours_) return next;
    for (std::size_t q = 0; q < hours_.size(); ++q)
        if (n_coming_of_[q] > 0 && !hours_[q].always())
            next = std::min(next, hours_[q].next_opening(now));
    return next;
}

} // namespace slotwise
