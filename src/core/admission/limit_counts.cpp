#include "admission/limit_counts.hpp"

#include <algorithm>

namespace slotwise {

LimitCounts::LimitCounts(const Limits& limits, const OwnerCounts& n_owners)
    : queued_per_user_(limits.queued_per_user) {
    for (const LimitInfo& limit : kLimits) {
        Bound& bound = bounds_[static_cast<std::size_t>(limit.scope)];
        if (limit.counted == LimitCounted::running_jobs) bound.running = limits.*limit.value;
        if (limit.counted == LimitCounted::processors) bound.processors = limits.*limit.value;
        if (limit.counted == LimitCounted::submitted_jobs) bound.submitted = limits.*limit.value;
    }
    for (const AmountLimit& limit : limits.amounts) {
        Bound& bound = bounds_[static_cast<std::size_t>(limit.scope)];
        if (limit.resource == AmountLimit::kNodes)
            bound.nodes = limit.most;
        else
            bound.amounts.push_back(limit);
        counts_nodes_ = counts_nodes_ || limit.resource == AmountLimit::kNodes;
    }
    any_ = queued_per_user_ != kNoLimit;
    for (std::size_t scope = 0; scope < kLimitScopes; ++scope) {
        any_ = any_ || bounds_[scope].any();
        if (!bounds_[scope].any() && bounds_[scope].submitted == kNoLimit) continue;
        Count none;
        none.amounts.resize(bounds_[scope].amounts.size());
        counts_[scope].resize(n_owners[scope], none);
    }
    if (queued_per_user_ != kNoLimit)
        waiting_.resize(n_owners[static_cast<std::size_t>(LimitScope::user)]);
}

bool LimitCounts::has_room_on_nodes(const Bound& bound, const Count& now, const JobUse& use) const {
    if (bound.nodes != kNoLimit && now.nodes + use.nodes > bound.nodes) return false;
    for (std::size_t i = 0; i < bound.amounts.size(); ++i)
        if (now.amounts[i] + use.amount(bound.amounts[i].resource) > bound.amounts[i].most)
            return false;
    return true;
}

void LimitCounts::count(const Owner& owner, const JobUse& use, int sign) {
    if (!any_) return;
    visit(*this, owner, [&](const Bound& bound, Count& count) {
        count.running += sign;
        count.processors += sign * static_cast<std::int64_t>(use.processors);
        for (std::size_t i = 0; i < bound.amounts.size(); ++i)
            count.amounts[i] += sign * use.amount(bound.amounts[i].resource);
    });
}

bool LimitCounts::fits_on(const Owner& owner, std::span<const Place> places) const {
    bool fits = true;
    visit(*this, owner, [&](const Bound& bound, const Count& count) {
        const auto more = static_cast<std::int64_t>(places.size());
        fits = fits && (bound.nodes == kNoLimit || count.nodes + more <= bound.nodes);
    });
    return fits;
}

void LimitCounts::count_nodes(const Owner& owner, std::span<const Place> places, int sign) {
    visit(*this, owner, [&](const Bound&, Count& count) {
        count.nodes += sign * static_cast<std::int64_t>(places.size());
    });
}

bool LimitCounts::admits(const Owner& owner) const {
    bool admits = true;
    visit(*this, owner, [&](const Bound& bound, const Count& count) {
        admits = admits && (bound.submitted == kNoLimit || count.submitted < bound.submitted);
    });
    return admits;
}

void LimitCounts::count_submitted(const Owner& owner, int sign) {
    visit(*this, owner, [&](const Bound&, Count& count) { count.submitted += sign; });
}

bool LimitCounts::may_ease(const Owner& owner) const {
    bool eases = false;
    if (!any_) return eases;
    visit(*this, owner, [&](const Bound& bound, const Count& count) {
        eases = eases || bound.holds_back(count);
    });
    return eases;
}

bool LimitCounts::is_among_first(const std::vector<JobId>& waiting, JobId job) const {
    const auto allowed = static_cast<std::size_t>(queued_per_user_);
    return waiting.size() <= allowed || job < waiting[allowed];
}

void LimitCounts::add_waiting(const Owner& owner, JobId job) {
    if (queued_per_user_ == kNoLimit || owner.user() == Owner::kUnknown) return;
    std::vector<JobId>& waiting = waiting_[owner.user()];
    waiting.insert(std::upper_bound(waiting.begin(), waiting.end(), job), job);
}

void LimitCounts::remove_waiting(const Owner& owner, JobId job) {
    if (queued_per_user_ == kNoLimit || owner.user() == Owner::kUnknown) return;
    std::vector<JobId>& waiting = waiting_[owner.user()];
    waiting.erase(std::lower_bound(waiting.begin(), waiting.end(), job));
}

} // namespace slotwise
