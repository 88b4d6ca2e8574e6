#include "planner/job_tracker.hpp"

#include <algorithm>

namespace slotwise {

namespace {

void insert_in_order(std::vector<JobId>& jobs, JobId job) {
    if (jobs.empty() || jobs.back() < job) {
        jobs.push_back(job);
        return;
    }
    const auto at = std::lower_bound(jobs.begin(), jobs.end(), job);
    if (*at != job) jobs.insert(at, job);
}

void erase_sorted(std::vector<JobId>& jobs, JobId job) {
    const auto at = std::lower_bound(jobs.begin(), jobs.end(), job);
    if (at != jobs.end() && *at == job) jobs.erase(at);
}

std::vector<JobId> renamed(std::span<const JobId> jobs, std::span<const JobId> row_of) {
    std::vector<JobId> rows(jobs.size());
    std::transform(jobs.begin(), jobs.end(), rows.begin(), [&](JobId job) { return row_of[job]; });
    return rows;
}

} // namespace

JobTracker::JobTracker(const ReplayContext& context, std::unique_ptr<Scheduler> planner)
    : n_jobs_(context.jobs.size()), planner_(std::move(planner)) {}

JobTracker::JobTracker(const JobTracker& other, const ReplayContext& context)
    : n_jobs_(other.n_jobs_), planner_(other.planner_->clone(context)), waiting_(other.waiting_),
      running_(other.running_), ending_(other.ending_), ended_(other.ended_), bars_(other.bars_),
      n_passes_(other.n_passes_) {
    due_ = other.due_;
}

JobTracker::JobTracker(const JobTracker& other, const ReplayContext& context,
                       std::unique_ptr<Scheduler> planner, std::span<const JobId> row_of, Time now)
    : n_jobs_(context.jobs.size()), planner_(std::move(planner)),
      waiting_(renamed(other.waiting_, row_of)), running_(renamed(other.running_, row_of)),
      ending_(renamed(other.ending_, row_of)), n_passes_(other.n_passes_) {
    std::vector<JobId> ended;
    other.ended_.for_each([&](JobId job) { ended.push_back(row_of[job]); });
    for (const JobId job : ended)
        ended_.add(job);
    if (!other.bars_.empty()) bars_.assign(n_jobs_, Bar::none);
    for (std::size_t job = 0; job < other.bars_.size(); ++job)
        bars_[row_of[job]] = other.bars_[job];
    list_admitted();
    std::vector<JobId> running = running_;
    running.insert(running.end(), ending_.begin(), ending_.end());
    planner_->take_over({now, admitted_, running, ended});
    due_ = planner_->next_due();
}

// Lists all waiting jobs without a bar.
void JobTracker::list_admitted() {
    admitted_.clear();
    for (const JobId job : waiting_)
        if (bar(job) == Bar::none) admitted_.push_back(job);
}

bool JobTracker::put_priorities_first(const ReplayContext& context) {
    list_admitted();
    std::unique_ptr<Scheduler> planner = planner_->with_priorities(context, admitted_);
    if (planner == nullptr) return false;
    planner_ = std::move(planner);
    due_ = planner_->next_due();
    return true;
}

void JobTracker::pass(const Instant& instant, Starts& starts) {
    ++n_passes_;
    admit(instant.arrived);
    note_ended(instant.ended);
    planner_->pass({instant.now, instant.ended, admitted_}, starts);
    note_stopped(starts.stops);
    note_rejected(starts.rejected);
    for (const Starts::Start& start : starts.jobs) {
        erase_sorted(waiting_, start.job);
        running_.push_back(start.job);
    }
    due_ = planner_->next_due();
}

void JobTracker::follow(const Instant& instant, Starts& starts) {
    note_ended(instant.ended);
    planner_->follow(instant, starts);
    note_stopped(starts.stops);
    note_rejected(starts.rejected);
    due_ = planner_->next_due();
}

void JobTracker::note_ended(std::span<const JobId> ended) {
    ending_.clear();
    for (const JobId job : ended)
        std::erase(running_, job);
    for (const JobId job : ended)
        ended_.add(job);
}

void JobTracker::note_stopped(std::span<const Starts::Stop> stops) {
    for (const Starts::Stop& stop : stops) {
        std::erase(running_, stop.job);
        if (stop.requeued)
            insert_in_order(waiting_, stop.job);
        else
            ended_.add(stop.job);
    }
}

void JobTracker::note_rejected(std::span<const JobId> rejected) {
    for (const JobId job : rejected)
        erase_sorted(waiting_, job);
}

void JobTracker::admit(std::span<const JobId> arrived) {
    admitted_.clear();
    for (const JobId job : arrived) {
        if (bar(job) == Bar::cancelled) continue;
        insert_in_order(waiting_, job);
        if (bar(job) == Bar::held) {
            if (!planner_->knows_held()) continue;
            planner_->hold(job);
        }
        admitted_.push_back(job);
        if (bar(job) == Bar::returning) bars_[job] = Bar::none;
    }
}

bool JobTracker::is_waiting(JobId job) const {
    return std::binary_search(waiting_.begin(), waiting_.end(), job);
}

bool JobTracker::is_running(JobId job) const {
    return std::find(running_.begin(), running_.end(), job) != running_.end();
}

void JobTracker::set_bar(JobId job, Bar wanted) {
    const Bar before = bar(job);
    if (is_waiting(job) && before == Bar::none) {
        if (wanted == Bar::held) planner_->hold(job);
        if (wanted == Bar::cancelled) planner_->cancel(job);
    }
    if (is_waiting(job) && before == Bar::held) {
        const bool knows = planner_->knows_held();
        if (knows && wanted == Bar::cancelled) planner_->cancel(job);
        if (knows && wanted == Bar::returning) {
            planner_->release(job);
            wanted = Bar::none;
        }
    }
    if (wanted == Bar::cancelled) erase_sorted(waiting_, job);
    if (bars_.empty()) bars_.assign(n_jobs_, Bar::none);
    bars_[job] = wanted;
    due_ = planner_->next_due();
}

} // namespace slotwise
