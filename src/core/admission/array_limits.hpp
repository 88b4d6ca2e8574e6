// Counts the running tasks of each job array, and decides whether another task may run.
//
// Example: array 7 may run at most 2 tasks at the same time, and its tasks 1 to 4 are waiting.
// Tasks 1 and 2 start; task 3 becomes eligible once one of them has ended.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Each task obeys its own array_limit. Tasks without a limit are counted, but are never held back.
class ArrayLimits {
  public:
    ArrayLimits() = default;
    explicit ArrayLimits(const JobTable& table);

    bool any() const { return tasks_ != nullptr; }

    bool has_room(JobId job) const {
        return !any() || (*tasks_)[job].array == kNone ||
               running_[(*tasks_)[job].array] < (*tasks_)[job].most;
    }

    // Updates the counts when a task starts (sign 1) or ends (sign −1). Returns true if the limit
    // may have held back other tasks of the same array.
    bool count(JobId job, int sign);

    // Returns true if the array limits always allow both jobs or hold back both.
    bool are_same(JobId one, JobId other) const {
        return !any() || (*tasks_)[one] == (*tasks_)[other];
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    struct Task {
        std::uint32_t array = kNone; // index of the job array
        std::int64_t most = 0;

        bool operator==(const Task&) const = default;
    };

    // The array and the array limit of each job. Null if no array has a limit.
    std::shared_ptr<const std::vector<Task>> tasks_;
    std::vector<std::int64_t> running_; // one element per array
};

// Returns true if any task in the table has an array limit.
bool has_array_limits(const JobTable& table);

} // namespace slotwise
