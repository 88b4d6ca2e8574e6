#include "planner/reservation/promise_gates.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns the position of a job in `list`, or the position at which the job must be inserted.
std::vector<JobId>::iterator place_in(std::vector<JobId>& list, JobId job,
                                      const JobRanking& ranking) {
    if (list.empty() || ranking.precedes(list.back(), job)) return list.end();
    return std::lower_bound(list.begin(), list.end(), job,
                            [&](JobId a, JobId b) { return ranking.precedes(a, b); });
}

} // namespace

PromiseGates::PromiseGates(const ReplayContext& context)
    : jobs_(&context.jobs), routing_(context.routing), limits_(context.site, context.jobs),
      waiting_(limits_.has_one_scope() ? limits_.n_owners() + 1 : 1),
      is_promised_(context.jobs.size(), 0) {}

std::size_t PromiseGates::list_of(JobId job) const {
    if (!limits_.has_one_scope()) return 0;
    const std::uint32_t owner = limits_.owner(job);
    return owner != OwnerLimits::kUnknown ? owner : waiting_.size() - 1;
}

void PromiseGates::note_changed(std::vector<std::uint32_t>& lists, JobId job) {
    const auto list = static_cast<std::uint32_t>(list_of(job));
    if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(list);
}

void PromiseGates::enter(JobId job, const JobRanking& ranking) {
    std::vector<JobId>& list = waiting_[list_of(job)];
    list.insert(place_in(list, job, ranking), job);
    ++n_aside_;
    if (allows(job)) note_changed(eased_, job);
}

bool PromiseGates::leave(JobId job) {
    std::erase(waiting_[list_of(job)], job);
    const bool had_promise = is_promised_[job] != 0;
    is_promised_[job] = 0;
    if (!had_promise) --n_aside_;
    return had_promise;
}

void PromiseGates::note_started(JobId job, const JobRanking& ranking) {
    std::vector<JobId>& list = waiting_[list_of(job)];
    list.erase(place_in(list, job, ranking));
    is_promised_[job] = 0;
    if (limits_.count_start(job, routing_->queue_of[job], jobs_->processors[job]))
        note_changed(filled_, job);
}

void PromiseGates::note_ended(JobId job) {
    if (limits_.count_end(job, routing_->queue_of[job], jobs_->processors[job]))
        note_changed(eased_, job);
}

template <class Chosen>
void PromiseGates::take(std::vector<std::uint32_t>& lists, bool promised, std::vector<JobId>& jobs,
                        Chosen&& chosen) {
    for (const std::uint32_t list : lists)
        for (const JobId job : waiting_[list])
            if ((is_promised_[job] != 0) == promised && chosen(job)) {
                jobs.push_back(job);
                is_promised_[job] = promised ? 0 : 1;
            }
    lists.clear();
}

void PromiseGates::take_allowed(std::vector<JobId>& jobs) {
    const std::size_t before = jobs.size();
    take(eased_, false, jobs, [this](JobId job) { return allows(job); });
    n_aside_ -= jobs.size() - before;
}

void PromiseGates::take_held_back(std::vector<JobId>& jobs) {
    const std::size_t before = jobs.size();
    take(filled_, true, jobs, [this](JobId job) { return !allows(job); });
    n_aside_ += jobs.size() - before;
}

} // namespace slotwise
