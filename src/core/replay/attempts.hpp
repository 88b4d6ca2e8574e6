// The attempts at jobs that were stopped before their end.
#pragma once

#include "replay/checkpoints.hpp"
#include "site/site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

enum class EndReason : std::uint8_t {
    completed = 0,
    killed = 1, // at its limit
    crash = 2,
    outage = 3,
    cancelled = 4
};

// One start of a job, from then to its end.
struct Attempt {
    JobId job = 0;
    std::uint32_t number = 1; // of this job's, from 1
    PoolId pool = kAnyPool;   // kAnyPool: several, or the site has none
    Time start = 0;
    Time end = 0;
    EndReason reason = EndReason::completed;
    bool requeued = false;
    Time saved = 0;            // seconds of work a later attempt need not do again
    std::int64_t lost = 0;     // processor-seconds run for nothing
    std::int64_t refunded = 0; // processor-seconds given back to the user
};

// All that was stopped, in the order in which it happened. An attempt of s seconds (elapsed) on n
// processors that saved w seconds of work lost n · (s - w); a crash or an outage gives back
// n · min(s, refund), whatever was saved: on Kraken the first six hours of what a crash ended.
class AttemptLog {
  public:
    // `table` outlives the log.
    AttemptLog(const JobTable& table, const Interruption& rule) : table_(&table), rule_(rule) {}

    // Goes on over `table`, in which job j of other's is row_of[j].
    AttemptLog(const AttemptLog& other, const JobTable& table, std::span<const JobId> row_of);

    // Writes down that the attempt of `attempt.job` from `attempt.start` to `attempt.end` was
    // stopped; job, pool, start, end, reason and requeued are given, the rest follows.
    void add(Attempt attempt);

    // Work done and left before the job's next attempt.
    AttemptWork work_of(JobId job) const;

    // Attempts of the job so far, all stopped.
    std::uint32_t count(JobId job) const;

    const std::vector<Attempt>& rows() const { return rows_; }

  private:
    const JobTable* table_;
    Interruption rule_;
    std::vector<Attempt> rows_;
    std::vector<Time> done_;           // work saved, by job; empty until something is stopped
    std::vector<std::uint32_t> count_; // by job, likewise
};

} // namespace slotwise
