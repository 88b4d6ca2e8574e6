// Threads that share the tasks of successive calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace slotwise {

// Each call has the same number of tasks. The calling thread works too, and at the end waits only
// for tasks that other threads have begun. A thread that wakes late may find no task left. Tasks
// must not throw.
class WorkerThreads {
  public:
    WorkerThreads(unsigned workers, std::size_t n_tasks);
    ~WorkerThreads();
    WorkerThreads(const WorkerThreads&) = delete;

    // Calls task(i) for each i below n_tasks, and returns when all have ended.
    void run(const std::function<void(std::size_t)>& task);

  private:
    void serve();
    void work();

    const std::size_t n_tasks_;
    std::atomic<std::uint32_t> call_ = 0; // number of the current call
    std::atomic<std::size_t> next_;       // task to begin; n_tasks_ or more: none
    std::atomic<std::size_t> n_ended_ = 0;
    std::atomic<bool> closes_ = false;
    const std::function<void(std::size_t)>* task_ = nullptr; // published by the write to next_
    std::vector<std::thread> threads_;
};

} // namespace slotwise
