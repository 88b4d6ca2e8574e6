// The answers that an outside dispatcher has given so far.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// A replay of the same past follows the log, because a dispatcher cannot be asked about the past
// again. A call in which the dispatcher threw is logged too; it starts no job.
struct DispatchLog {
    struct Answer {
        std::size_t ask; // number of the ask, from 0
        std::vector<JobId> jobs;
        std::vector<PoolId> pools;                    // pools named, one per job; kAnyPool: none
        std::vector<std::vector<std::int32_t>> nodes; // named, one list per job; empty: none
    };

    std::vector<Answer> answers; // those that started a job, by ask
    std::size_t n_asked = 0;     // all asks

    // Renumbers the jobs: job j becomes row_of[j].
    void rename(std::span<const JobId> row_of) {
        for (Answer& answer : answers)
            for (JobId& job : answer.jobs)
                job = row_of[job];
    }
};

} // namespace slotwise
