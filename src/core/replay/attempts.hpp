// Attempts that were stopped before the job was finished.
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

// One attempt to run a job, from its start to its end.
struct Attempt {
    JobId job = 0;
    std::uint32_t number = 1; // number of this attempt of the job, from 1
    PoolId pool = kAnyPool;   // kAnyPool: it ran in several pools, or the site has none
    Time start = 0;
    Time end = 0;
    EndReason reason = EndReason::completed;
    bool requeued = false;
    Time saved = 0;            // seconds of work that a later attempt need not repeat
    std::int64_t lost = 0;     // processor-seconds of work that was not saved
    std::int64_t refunded = 0; // processor-seconds refunded to the user
};

// All stopped attempts, in chronological order. If an attempt on n processors ran for s seconds and
// saved w seconds of work, n · (s - w) processor-seconds are lost. After a crash or an outage, n ·
// min(s, refund) processor-seconds are refunded, no matter how much work was saved. On the Kraken
// supercomputer, the first six hours were refunded.
class AttemptLog {
  public:
    // `table` must outlive the log.
    AttemptLog(const JobTable& table, const Interruption& rule) : table_(&table), rule_(rule) {}

    // Copies `other` for `table`. Job j in `other` is row row_of[j] of `table`.
    AttemptLog(const AttemptLog& other, const JobTable& table, std::span<const JobId> row_of);

    // Records that the attempt of `attempt.job` from `attempt.start` to `attempt.end` was stopped.
    // The caller sets job, pool, start, end, reason and requeued; the other members are computed
    // here.
    void add(Attempt attempt);

    // Returns the work already done, and the work left, when the job's next attempt begins.
    AttemptWork work_of(JobId job) const;

    // Returns the number of stopped attempts of the job.
    std::uint32_t count(JobId job) const;

    const std::vector<Attempt>& rows() const { return rows_; }

  private:
    const JobTable* table_;
    Interruption rule_;
    std::vector<Attempt> rows_;
    std::vector<Time> done_;           // saved work by job; empty until an attempt is stopped
    std::vector<std::uint32_t> count_; // number of stopped attempts by job
};

} // namespace slotwise
