#include "planner/ruled/ranked_classes.hpp"

namespace slotwise {

RankedClasses::RankedClasses(const ReplayContext& context, bool has_limits)
    : jobs_(&context.jobs), ranks_(context.policy.order, context.jobs), has_limits_(has_limits),
      classes_(context.jobs.size(), as_user_order(ranks_.order()) != nullptr) {
    if (const UserOrder* users = as_user_order(ranks_.order()))
        users_.emplace(context.jobs, *users);
    else if (drifts())
        scores_.emplace(context.jobs, ranks_.order());
    if (drifts()) classes_.changes().start();
}

RankedClasses::RankedClasses(const RankedClasses& other, const ReplayContext& context)
    : jobs_(&context.jobs), ranks_(other.ranks_, context.policy.order), users_(other.users_),
      scores_(other.scores_), has_limits_(other.has_limits_), classes_(other.classes_) {
    if (users_) users_->rebind(context.jobs, *as_user_order(ranks_.order()));
    if (scores_) scores_->rebind(context.jobs, ranks_.order());
}

std::uint32_t RankedClasses::hash(JobId job) const {
    std::uint32_t hash = static_cast<std::uint32_t>(processors(job)) * 0x85EBCA6BU;
    hash = (hash ^ length(job)) * 0x9E3779B1U;
    if (users_ || has_limits_)
        hash = (hash ^ static_cast<std::uint32_t>(jobs_->user(job))) * 0x85EBCA6BU;
    return hash >> 16U;
}

// Returns true if `job` comes after `last` in order and has the same request, so that it cannot
// start before `last`.
bool RankedClasses::continues(JobId last, JobId job) const {
    return last < job && ranks_before(last, job) && processors(last) == processors(job) &&
           length(last) == length(job) && (!users_ || jobs_->user(last) == jobs_->user(job));
}

JobId RankedClasses::take(Slot slot) {
    const JobId job = classes_.front(slot);
    const bool has_next =
        classes_.pop_front(slot, [&](JobId next) { return ranks_.rank_of(next); });
    if (!scores_) return job;
    if (has_next)
        scores_->set_front(classes_, slot);
    else
        scores_->note_ended(classes_, slot);
    return job;
}

void RankedClasses::remove(JobId job) {
    classes_.remove(job, [&](JobId next) { return ranks_.rank_of(next); });
    if (scores_) scores_->renew(classes_);
}

void RankedClasses::arrange() {
    if (classes_.must_arrange()) {
        classes_.arrange();
        if (scores_) scores_->renew(classes_);
        if (users_) users_->renew(classes_);
        return;
    }
    classes_.regroup([&](Slot from, Slot to) {
        if (scores_) scores_->note_moved(classes_, from, to);
    });
}

} // namespace slotwise
