#include "planner/scheduler.hpp"

#include "planner/dispatch_log.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

[[noreturn]] void refuse(const char* action, JobId job) {
    throw std::invalid_argument("job " + std::to_string(job) + " cannot be " + action +
                                " under this backfill; choose " +
                                backfills_that_work(&WorksOn::stepping));
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
    throw std::invalid_argument("this backfill cannot begin in the middle of a replay; choose "
                                "another");
}

void Scheduler::hold(JobId job) {
    cancel(job);
}

void Scheduler::release(JobId job) {
    refuse("released", job);
}

void Scheduler::cancel(JobId job) {
    refuse("cancelled", job);
}

void Scheduler::reorder(JobId job, const std::function<void()>&) {
    refuse("given a priority", job);
}

std::unique_ptr<Scheduler> Scheduler::with_priorities(const ReplayContext&,
                                                      std::span<const JobId>) const {
    return nullptr;
}

void Scheduler::follow_log(DispatchLog) {}

void Scheduler::change_policy(const std::shared_ptr<Dispatcher>&, std::span<const JobId>) {
    throw std::invalid_argument(
        "this backfill cannot be replaced by another policy in the middle of "
        "a replay; start a new simulation");
}

} // namespace slotwise
