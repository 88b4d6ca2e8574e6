#include "admission/eligibility.hpp"

#include "admission/job_owners.hpp"
#include "admission/owner_numbers.hpp"

#include <algorithm>

namespace slotwise {

namespace {

bool is_limited(const Site& site, const JobTable& table) {
    return (site.dependencies && has_array_limits(table)) || site.has_limits() ||
           std::any_of(site.queues.begin(), site.queues.end(),
                       [](const Queue& queue) { return queue.limits != Limits{}; });
}

struct Owners {
    std::vector<Owner> of_job;
    LimitCounts::OwnerCounts count{1, 0, 0, 0, 0};
};

using Scopes = std::array<bool, kLimitScopes>;

void mark_scopes(const Limits& limits, Scopes& scopes) {
    for (const LimitInfo& limit : kLimits)
        if (limits.*limit.value != kNoLimit) scopes[static_cast<std::size_t>(limit.scope)] = true;
    for (const AmountLimit& limit : limits.amounts)
        scopes[static_cast<std::size_t>(limit.scope)] = true;
}

// Returns the scopes of all limits of the site. If there are limits on named owners, returns every
// scope.
Scopes scopes_told_apart(const Site& site) {
    Scopes scopes{};
    if (!site.named_limits.empty()) scopes.fill(true);
    mark_scopes(site.limits, scopes);
    for (const Queue& queue : site.queues)
        mark_scopes(queue.limits, scopes);
    return scopes;
}

// Returns the owners of each job, but only in the scopes that the site's limits use. The owners in
// all other scopes stay unknown.
Owners owners_of(const Site& site, const ReplayJobs& jobs) {
    Owners owners;
    if (!is_limited(site, *jobs.table)) return owners;
    owners.of_job.resize(jobs.size());
    const Scopes scopes = scopes_told_apart(site);
    for (std::size_t scope = 1; scope < kLimitScopes; ++scope) {
        if (!scopes[scope]) continue;
        OwnerNumbers numbers;
        for (JobId job = 0; job < jobs.size(); ++job) {
            const std::int32_t who = jobs.owner(job, static_cast<LimitScope>(scope));
            if (who < 0) continue;
            owners.of_job[job].of[scope] = numbers.number_of(who);
        }
        owners.count[scope] = numbers.size();
    }
    return owners;
}

std::shared_ptr<const std::vector<std::uint8_t>> members_of(const JobOwners& owners,
                                                            const ReplayJobs& jobs) {
    std::vector<std::uint8_t> members(jobs.size());
    for (JobId job = 0; job < jobs.size(); ++job)
        members[job] = is_of(owners, jobs, job) ? 1 : 0;
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(members));
}

} // namespace

Eligibility::Eligibility(const Site& site, const ReplayJobs& jobs, const Routing& routing)
    : shapes_(routing.shapes), site_limits_(Limits{}, {}), n_coming_of_(site.queues.size(), 0) {
    Owners owners = owners_of(site, jobs);
    site_limits_ = LimitCounts(site.limits, owners.count);
    unruled_ = owners.of_job.empty();
    counts_nodes_ = site_limits_.counts_nodes();
    for (const Queue& queue : site.queues) {
        limits_.emplace_back(queue.limits, owners.count);
        hours_.emplace_back(queue.hours, site.midnight);
        has_hours_ = has_hours_ || !queue.hours.empty();
        counts_nodes_ = counts_nodes_ || limits_.back().counts_nodes();
    }
    for (const NamedLimits& named : site.named_limits) {
        named_.push_back({LimitCounts(named.limits, owners.count), members_of(named.owners, jobs)});
        counts_nodes_ = counts_nodes_ || named_.back().counts.counts_nodes();
    }
    owners_ = std::make_shared<const std::vector<Owner>>(std::move(owners.of_job));
    if (site.dependencies) {
        dependencies_ = Dependencies(jobs, site.dependency_lists.get(), routing.reject_reason);
        arrays_ = ArrayLimits(*jobs.table);
    }
    unruled_ = unruled_ && !has_hours_ && !dependencies_.any();
}

bool Eligibility::is_within_queued(JobId job, QueueId queue) const {
    const Owner who = owner(job);
    return limits_[queue].is_within_queued(who, job) && site_limits_.is_within_queued(who, job) &&
           all_named(job,
                     [&](const LimitCounts& limits) { return limits.is_within_queued(who, job); });
}

bool Eligibility::allows_when_lifted(JobId job, QueueId queue, ProcCount processors,
                                     Time now) const {
    if (!has_limits() || !is_ready(job, queue, now)) return false;
    const JobUse use = use_of(job, processors);
    return arrays_.has_room(job) && limits_[queue].fits_now(owner(job), use) &&
           site_limits_.has_room_in_all(use) &&
           all_named(job,
                     [&](const LimitCounts& limits) { return limits.fits_now(owner(job), use); }) &&
           is_within_queued(job, queue);
}

void Eligibility::note_waiting(JobId job, QueueId queue) {
    if (!is_held(job)) count_free(job, queue, 1);
    if (!has_limits()) return;
    const Owner who = owner(job);
    for_each(job, queue, [&](LimitCounts& limits) { limits.add_waiting(who, job); });
}

void Eligibility::note_cancelled(JobId job, QueueId queue) {
    if (!is_held(job)) count_free(job, queue, -1);
    if (!has_limits()) return;
    const Owner who = owner(job);
    for_each(job, queue, [&](LimitCounts& limits) { limits.remove_waiting(who, job); });
}

void Eligibility::note_started(JobId job, QueueId queue, ProcCount processors) {
    note_cancelled(job, queue);
    if (!has_limits()) return;
    arrays_.count(job, 1);
    const JobUse use = use_of(job, processors);
    const Owner who = owner(job);
    for_each(job, queue, [&](LimitCounts& limits) { limits.count(who, use, 1); });
}

bool Eligibility::note_stopped(JobId job, QueueId queue, ProcCount processors) {
    if (!has_limits()) return false;
    const Owner who = owner(job);
    const JobUse use = use_of(job, processors);
    bool eases = arrays_.count(job, -1);
    for_each(job, queue, [&](LimitCounts& limits) {
        eases = eases || limits.may_ease(who);
        limits.count(who, use, -1);
    });
    return eases;
}

bool Eligibility::allows_on(JobId job, QueueId queue, std::span<const Place> places) const {
    return !counts_nodes() || (limits_[queue].fits_on(owner(job), places) &&
                               site_limits_.fits_on(owner(job), places) &&
                               all_named(job, [&](const LimitCounts& limits) {
                                   return limits.fits_on(owner(job), places);
                               }));
}

void Eligibility::note_nodes(JobId job, QueueId queue, std::span<const Place> places, int sign) {
    if (!counts_nodes()) return;
    const Owner who = owner(job);
    for_each(job, queue, [&](LimitCounts& limits) { limits.count_nodes(who, places, sign); });
}

bool Eligibility::admits(JobId job, QueueId queue) const {
    return !has_limits() ||
           (limits_[queue].admits(owner(job)) && site_limits_.admits(owner(job)) &&
            all_named(job, [&](const LimitCounts& limits) { return limits.admits(owner(job)); }));
}

void Eligibility::note_submitted(JobId job, QueueId queue, int sign) {
    if (!has_limits()) return;
    const Owner who = owner(job);
    for_each(job, queue, [&](LimitCounts& limits) { limits.count_submitted(who, sign); });
}

JobUse Eligibility::use_of(JobId job, ProcCount processors) const {
    if (shapes_ == nullptr) return {processors};
    const UnitDemand& demand = shapes_->of(job).demand;
    return {processors, &demand, nodes_asked(demand)};
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

Time Eligibility::next_closing(Time now) const {
    Time next = kNever;
    if (!has_hours_) return next;
    for (std::size_t q = 0; q < hours_.size(); ++q)
        if (n_coming_of_[q] > 0) next = std::min(next, hours_[q].next_closing(now));
    return next;
}

} // namespace slotwise
