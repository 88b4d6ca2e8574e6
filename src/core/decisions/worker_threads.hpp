// A pool of threads that share the tasks of each call to run().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace slotwise {

// Each call to run() has the same number of tasks. The calling thread works on tasks too. Once
// there are no tasks left to start, it waits for the other threads to finish theirs. A thread that
// wakes up late may find no tasks left. Tasks must not throw exceptions.
class WorkerThreads {
  public:
    WorkerThreads(unsigned workers, std::size_t n_tasks);
    ~WorkerThreads();
    WorkerThreads(const WorkerThreads&) = delete;

    // Calls task(i) for each i below n_tasks, and returns when all of these calls have returned.
    void run(const std::function<void(std::size_t)>& task);

  private:
    void serve();
    void work();

    const std::size_t n_tasks_;
    std::atomic<std::uint32_t> call_ = 0; // number of the current call
    std::atomic<std::size_t> next_;       // next task to start, if below n_tasks_
    std::atomic<std::size_t> n_ended_ = 0;
    std::atomic<bool> closes_ = false;
    // The write to next_ makes this pointer visible to the threads.
    const std::function<void(std::size_t)>* task_ = nullptr;
    std::vector<std::thread> threads_;
};

} // namespace slotwise
