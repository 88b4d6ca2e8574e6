// The decisions that an external dispatcher has returned so far.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// When earlier passes are replayed, these decisions are repeated, because the dispatcher cannot be
// called again for them. Calls in which the dispatcher threw an exception are counted too; when
// they are repeated, no job starts.
struct DispatchLog {
    struct Answer {
        std::size_t ask; // number of the call that returned this decision, starting at 0
        std::vector<JobId> jobs;
        std::vector<PoolId> pools; // the pool named for each job; empty if none are named
        // The list of nodes named for each job; empty if none are named.
        std::vector<std::vector<std::int32_t>> nodes;
    };

    std::vector<Answer> answers; // the decisions that started jobs, in order of the calls
    std::size_t n_asked = 0;

    // Renumbers the jobs: job j becomes job row_of[j].
    void rename(std::span<const JobId> row_of) {
        for (Answer& answer : answers)
            for (JobId& job : answer.jobs)
                job = row_of[job];
    }
};

} // namespace slotwise
