// Counts the running tasks of each job array, and decides whether another task may run.
//
// Example: array 7 has the limit 2 and its tasks 1 to 4 wait. Tasks 1 and 2 start; task 3 is
// eligible once one of them has ended.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Each task obeys its own array_limit; tasks without a limit are counted, but not limited.
class ArrayLimits {
  public:
    ArrayLimits() = default;
    explicit ArrayLimits(const JobTable& table);

    bool any() const { return tasks_ != nullptr; }

    bool has_room(JobId job) const {
        return !any() || (*tasks_)[job].array == kNone ||
               running_[(*tasks_)[job].array] < (*tasks_)[job].most;
    }

    // Counts a task that starts (sign 1) or has ended (−1). Returns true if the limit may have held
    // back other tasks of the array.
    bool count(JobId job, int sign);

    // True if, under these limits, one of the jobs can start exactly when the other can.
    bool are_same(JobId one, JobId other) const {
        return !any() || (*tasks_)[one] == (*tasks_)[other];
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    struct Task {
        std::uint32_t array = kNone; // dense number of the array
        std::int64_t most = 0;

        bool operator==(const Task&) const = default;
    };

    std::shared_ptr<const std::vector<Task>> tasks_; // one per job; null: no array has a limit
    std::vector<std::int64_t> running_;              // one per array
};

// True if some task of the table has a limit.
bool has_array_limits(const JobTable& table);

} // namespace slotwise
