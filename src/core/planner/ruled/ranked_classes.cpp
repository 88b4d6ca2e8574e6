#include "planner/ruled/ranked_classes.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace slotwise {

RankedClasses::RankedClasses(const ReplayContext& context, bool has_limits)
    : jobs_(&context.jobs), ranks_(context.policy.order, context.jobs),
      users_(as_user_order(ranks_.order())), has_limits_(has_limits),
      classes_(context.jobs.size()) {
    if (users_ != nullptr) shares_.emplace(users_->half_life());
    if (has_scores()) classes_.log_changes();
}

RankedClasses::RankedClasses(const RankedClasses& other, const ReplayContext& context)
    : jobs_(&context.jobs), ranks_(other.ranks_, context.policy.order),
      users_(as_user_order(ranks_.order())), shares_(other.shares_), has_limits_(other.has_limits_),
      classes_(other.classes_), lines_(other.lines_), lead_(other.lead_), now_(other.now_) {}

std::uint32_t RankedClasses::hash(JobId job) const {
    std::uint32_t hash = static_cast<std::uint32_t>(processors(job)) * 0x85EBCA6BU;
    hash = (hash ^ length(job)) * 0x9E3779B1U;
    if (users_ != nullptr || has_limits_)
        hash = (hash ^ static_cast<std::uint32_t>(jobs_->user(job))) * 0x85EBCA6BU;
    return hash >> 16U;
}

// True if `job` comes after `last` and has the same request, so that it can start only after
// `last`.
bool RankedClasses::continues(JobId last, JobId job) const {
    return last < job && ranks_before(last, job) && processors(last) == processors(job) &&
           length(last) == length(job) &&
           (users_ == nullptr || jobs_->user(last) == jobs_->user(job));
}

JobId RankedClasses::take(Slot slot) {
    const JobId job = classes_.front(slot);
    const bool has_next =
        classes_.pop_front(slot, [&](JobId next) { return ranks_.rank_of(next); });
    if (!has_scores()) return job;
    if (has_next)
        set_line(slot);
    else
        lines_.move_last_to(slot);
    if (lead_.slot == slot)
        lead_.slot = kNoSlot;
    else if (!has_next && lead_.slot == classes_.size())
        lead_.slot = slot;
    return job;
}

void RankedClasses::remove(JobId job) {
    classes_.remove(job, [&](JobId next) { return ranks_.rank_of(next); });
    if (!has_scores()) return;
    lines_ = {};
    lead_ = {};
    for (Slot slot = 0; slot < classes_.size(); ++slot)
        set_line(slot);
}

void RankedClasses::set_now(Time now) {
    now_ = now;
    if (shares_) shares_->set_now(*users_, *jobs_, now);
    if (has_scores()) lines_.set_now(*jobs_, now);
}

RankedClasses::Slot RankedClasses::first_open() {
    if (!drifts()) return classes_.first();
    return shares_ ? first_open_by_user() : first_open_by_line();
}

// Most users have certainly used more than the best so far.
RankedClasses::Slot RankedClasses::first_open_by_user() {
    Slot found = kNoSlot;
    double most = std::numeric_limits<double>::infinity();
    for (Slot slot = 0; slot < classes_.size(); ++slot) {
        if (!classes_.is_open(slot) || shares_->low(classes_.user(slot)) > most) continue;
        if (found != kNoSlot && !precedes_by_user(slot, found)) continue;
        found = slot;
        most = shares_->high(classes_.user(slot));
    }
    return found;
}

bool RankedClasses::keeps_first(Time now) {
    if (!drifts()) return true;
    if (!has_scores()) return false;
    now_ = now;
    lines_.set_now(*jobs_, now);
    return still_leads();
}

// Compares the class that leads with those that changed since.
bool RankedClasses::still_leads() {
    if (classes_.is_log_full()) lead_.slot = kNoSlot;
    for (const Slot slot : classes_.changes())
        if (lead_.slot != kNoSlot && slot != lead_.slot && slot < classes_.size() &&
            classes_.is_open(slot))
            lead_.until = std::min(lead_.until, lines_.leads_until(lead_.slot, slot, lead_.doubt));
    classes_.forget_changes();
    if (lead_.slot != kNoSlot && (lines_.seconds() > lead_.until || lines_.doubt() > lead_.doubt ||
                                  !classes_.is_open(lead_.slot)))
        lead_.slot = kNoSlot;
    return lead_.slot != kNoSlot;
}

// Records for how long the first open class certainly leads. The doubt grows slowly with time.
void RankedClasses::note_lead(Slot first) {
    lead_ = {first, std::numeric_limits<double>::infinity(), 2 * lines_.doubt()};
    for (Slot slot = 0; slot < classes_.size() && lead_.until >= lines_.seconds(); ++slot)
        if (slot != first && classes_.is_open(slot))
            lead_.until = std::min(lead_.until, lines_.leads_until(first, slot, lead_.doubt));
    if (lead_.until < lines_.seconds()) lead_.slot = kNoSlot;
}

// Most lines are certainly below the best so far.
RankedClasses::Slot RankedClasses::first_open_by_line() {
    if (still_leads()) return lead_.slot;
    Slot found = kNoSlot;
    double least = -std::numeric_limits<double>::infinity();
    for (Slot slot = 0; slot < classes_.size(); ++slot) {
        if (lines_.value(slot) < least || !classes_.is_open(slot)) continue;
        if (found != kNoSlot && !precedes_by_line(slot, found)) continue;
        found = slot;
        least = lines_.value(slot) - lines_.doubt();
    }
    if (found != kNoSlot) note_lead(found);
    return found;
}

RankedClasses::Slot RankedClasses::first_within(const BackfillBounds& bounds, Duration longest) {
    if (bounds.free == 0) return kNoSlot;
    if (!drifts()) return classes_.first_within(from_group_, bounds, longest);
    const auto is_short = [&](Slot slot) { return classes_.length(slot) <= longest; };
    return first_among([&](auto&& visit) {
        classes_.for_each_within(bounds, [&](Slot slot) { visit(slot, is_short); });
    });
}

bool RankedClasses::precedes_by_score(JobId one, JobId other) const {
    const std::array<JobId, 2> both{one, other};
    std::array<double, 2> scores{};
    ranks_.order().score(*jobs_, both, now_, scores);
    return scores[0] != scores[1] ? scores[0] > scores[1] : one < other;
}

} // namespace slotwise
