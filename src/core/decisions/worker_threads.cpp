#include "decisions/worker_threads.hpp"

namespace slotwise {

namespace {

constexpr std::size_t kTasksAtOnce = 4;

} // namespace

WorkerThreads::WorkerThreads(unsigned workers) {
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

void WorkerThreads::run(std::size_t n, const std::function<void(std::size_t)>& task) {
    n_tasks_ = n;
    task_ = &task;
    next_ = 0;
    n_working_ = static_cast<std::uint32_t>(threads_.size());
    ++call_;
    call_.notify_all();
    work();
    for (std::uint32_t left = n_working_; left != 0; left = n_working_)
        n_working_.wait(left);
}

void WorkerThreads::serve() {
    for (std::uint32_t seen = 0;;) {
        call_.wait(seen);
        seen = call_;
        if (closes_) return;
        work();
        if (--n_working_ == 0) n_working_.notify_one();
    }
}

void WorkerThreads::work() {
    for (;;) {
        const std::size_t from = next_.fetch_add(kTasksAtOnce);
        if (from >= n_tasks_) return;
        for (std::size_t i = from; i < from + kTasksAtOnce && i < n_tasks_; ++i)
            (*task_)(i);
    }
}

} // namespace slotwise
