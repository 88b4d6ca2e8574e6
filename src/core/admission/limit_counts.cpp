#include "admission/limit_counts.hpp"

#include <algorithm>

namespace slotwise {

LimitCounts::LimitCounts(const Limits& limits, std::size_t n_users, std::size_t n_groups)
    : queued_per_user_(limits.queued_per_user) {
    for (const LimitInfo& limit : kLimits) {
        Bound& bound = limit.scope == LimitScope::all    ? all_
                       : limit.scope == LimitScope::user ? per_user_
                                                         : per_group_;
        if (limit.counted == LimitCounted::running_jobs) bound.running = limits.*limit.value;
        if (limit.counted == LimitCounted::processors) bound.processors = limits.*limit.value;
    }
    if (per_user_.any()) users_.resize(n_users);
    if (per_group_.any()) groups_.resize(n_groups);
    if (queued_per_user_ != kNoLimit) waiting_.resize(n_users);
}

void LimitCounts::count(Owner owner, ProcCount processors, int sign) {
    const std::int64_t change = sign * static_cast<std::int64_t>(processors);
    running_ += sign;
    processors_ += change;
    if (per_user_.any() && owner.user != Owner::kUnknown) {
        users_[owner.user].running += sign;
        users_[owner.user].processors += change;
    }
    if (per_group_.any() && owner.group != Owner::kUnknown) {
        groups_[owner.group].running += sign;
        groups_[owner.group].processors += change;
    }
}

bool LimitCounts::may_ease(Owner owner) const {
    return all_.holds_back(running_) ||
           (per_user_.any() && owner.user != Owner::kUnknown &&
            per_user_.holds_back(users_[owner.user].running)) ||
           (per_group_.any() && owner.group != Owner::kUnknown &&
            per_group_.holds_back(groups_[owner.group].running));
}

bool LimitCounts::is_among_first(const std::vector<JobId>& waiting, JobId job) const {
    const auto allowed = static_cast<std::size_t>(queued_per_user_);
    return waiting.size() <= allowed || job < waiting[allowed];
}

void LimitCounts::add_waiting(Owner owner, JobId job) {
    if (queued_per_user_ == kNoLimit || owner.user == Owner::kUnknown) return;
    std::vector<JobId>& waiting = waiting_[owner.user];
    waiting.insert(std::upper_bound(waiting.begin(), waiting.end(), job), job);
}

void LimitCounts::remove_waiting(Owner owner, JobId job) {
    if (queued_per_user_ == kNoLimit || owner.user == Owner::kUnknown) return;
    std::vector<JobId>& waiting = waiting_[owner.user];
    waiting.erase(std::lower_bound(waiting.begin(), waiting.end(), job));
}

} // namespace slotwise
