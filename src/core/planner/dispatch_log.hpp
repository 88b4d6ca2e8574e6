// What an outside dispatcher has answered so far.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace slotwise {

// A replay of the same past follows it instead of asking: somebody outside cannot be asked about
// the past again. An ask that was in vain, as the dispatcher threw, starts nobody.
struct DispatchLog {
    struct Answer {
        std::size_t ask; // its number, from 0
        std::vector<JobId> jobs;
        std::vector<PoolId> pools; // that it named, by job; kAnyPool: none
    };

    std::vector<Answer> answers; // that started somebody, by ask
    std::size_t n_asked = 0;     // all told

    // Job j of it is row_of[j] elsewhere.
    void rename(std::span<const JobId> row_of) {
        for (Answer& answer : answers)
            for (JobId& job : answer.jobs)
                job = row_of[job];
    }
};

} // namespace slotwise
