#include "planner/scheduler.hpp"

#include "planner/dispatch_log.hpp"

#include <stdexcept>

namespace slotwise {

namespace {

[[noreturn]] void refuse(const char* rule) {
    throw std::invalid_argument(rule);
}

} // namespace

void Scheduler::describe(Schedule&) const {}

void Scheduler::describe_queues(std::size_t n_jobs, Schedule& schedule) const {
    schedule.queue.resize(n_jobs);
    schedule.pool.resize(n_jobs);
    for (JobId job = 0; job < n_jobs; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(queue_number(job));
        schedule.pool[job] = static_cast<std::int16_t>(pool_number(job));
    }
}

void Scheduler::follow(const Instant&, Starts&) {}

void Scheduler::take_over(const Underway&) {
    refuse("a replay that has begun cannot change to this backfill");
}

void Scheduler::hold(JobId job) {
    cancel(job);
}

void Scheduler::release(JobId) {
    refuse("this backfill cannot release a job");
}

void Scheduler::cancel(JobId) {
    refuse("this backfill cannot cancel a job");
}

void Scheduler::reorder(JobId, const std::function<void()>&) {
    refuse("this backfill cannot reorder a job");
}

std::unique_ptr<Scheduler> Scheduler::with_priorities(const ReplayContext&,
                                                      std::span<const JobId>) const {
    return nullptr;
}

void Scheduler::follow_log(DispatchLog) {}

void Scheduler::change_policy(const std::shared_ptr<Dispatcher>&, std::span<const JobId>) {
    refuse("a replay that has begun cannot change from this backfill");
}

} // namespace slotwise
