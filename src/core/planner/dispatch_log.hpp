// The decisions that an outside dispatcher has returned so far.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// A repeated replay of the same past follows this log, because a dispatcher cannot be called again
// for the past. A call in which the dispatcher threw is also logged; it starts no job.
struct DispatchLog {
    struct Answer {
        std::size_t ask; // number of the call, from 0
        std::vector<JobId> jobs;
        std::vector<PoolId> pools;                    // named pools, one per job; kAnyPool: none
        std::vector<std::vector<std::int32_t>> nodes; // named nodes, one list per job; empty: none
    };

    std::vector<Answer> answers; // the decisions that started jobs, in order of calls
    std::size_t n_asked = 0;     // number of all calls

    // Renumbers the jobs: job j becomes row_of[j].
    void rename(std::span<const JobId> row_of) {
        for (Answer& answer : answers)
            for (JobId& job : answer.jobs)
                job = row_of[job];
    }
};

} // namespace slotwise
