// Threads that share the tasks of one call after another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace slotwise {

// The calling thread works too. Tasks must not throw.
class WorkerThreads {
  public:
    explicit WorkerThreads(unsigned workers);
    ~WorkerThreads();
    WorkerThreads(const WorkerThreads&) = delete;

    // Calls task(i) for each i below n, and returns when all have ended.
    void run(std::size_t n, const std::function<void(std::size_t)>& task);

  private:
    void serve();
    void work();

    std::vector<std::thread> threads_;
    std::atomic<std::uint32_t> call_ = 0; // number of the present call
    std::atomic<std::uint32_t> n_working_ = 0;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> closes_ = false;
    std::size_t n_tasks_ = 0;
    const std::function<void(std::size_t)>* task_ = nullptr;
};

} // namespace slotwise
