#include "decisions/worker_threads.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr std::size_t kTasksAtOnce = 4;

} // namespace

WorkerThreads::WorkerThreads(unsigned workers, std::size_t n_tasks)
    : n_tasks_(n_tasks), next_(n_tasks) {
    for (unsigned i = 1; i < workers; ++i)
        threads_.emplace_back([this] { serve(); });
}

WorkerThreads::~WorkerThreads() {
    closes_ = true;
    ++call_;
    call_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void WorkerThreads::run(const std::function<void(std::size_t)>& task) {
    n_ended_ = 0;
    task_ = &task;
    next_ = 0;
    ++call_;
    call_.notify_all();
    work();
    for (std::size_t ended = n_ended_; ended != n_tasks_; ended = n_ended_)
        n_ended_.wait(ended);
}

void WorkerThreads::serve() {
    for (std::uint32_t seen = 0;;) {
        call_.wait(seen);
        seen = call_;
        if (closes_) return;
        work();
    }
}

// `task_` stays valid while a thread works on a task, because run() does not return until all tasks
// are finished.
void WorkerThreads::work() {
    for (;;) {
        const std::size_t from = next_.fetch_add(kTasksAtOnce);
        if (from >= n_tasks_) return;
        const std::size_t to = std::min(from + kTasksAtOnce, n_tasks_);
        for (std::size_t i = from; i < to; ++i)
            (*task_)(i);
        if (n_ended_.fetch_add(to - from) + (to - from) == n_tasks_) n_ended_.notify_one();
    }
}

} // namespace slotwise
