// Replays the log's own schedule, for comparison: each job starts when the log says so, even if the
// capacity is exceeded.
#include "planner/scheduler.hpp"
#include "workload/trace_report.hpp"

#include <functional>
#include <queue>
#include <string>
#include <utility>

namespace slotwise {

namespace {

class AsLogged final : public Scheduler {
  public:
    explicit AsLogged(const ReplayContext& context) : table_(context.jobs.table) {
        if (table_->wait.empty())
            throw TraceError("the log does not state how long jobs waited; 'as-logged' needs the "
                             "wait of every job (field 3 of an SWF line): choose another backfill");
        for (std::size_t row = 0; row < table_->wait.size(); ++row) {
            const std::int64_t wait = table_->wait[row];
            if (wait >= 0 && wait <= kMaxTime) continue;
            throw TraceError("job " + std::to_string(row) + " of the trace has a logged wait of " +
                             std::to_string(wait) +
                             " s; 'as-logged' needs a wait between 0 and 2^53 s for every job: "
                             "choose another backfill");
        }
    }

    void pass(const Instant& instant, Starts& starts) override {
        for (const JobId job : instant.arrived)
            waiting_.emplace(table_->submit[job] + table_->wait[job], job);
        while (!waiting_.empty() && waiting_.top().first <= instant.now) {
            starts.add(waiting_.top().second, false);
            waiting_.pop();
        }
        due_ = waiting_.empty() ? kNever : waiting_.top().first;
    }

    bool drifts() const override { return false; }
    std::size_t queued() const override { return waiting_.size(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext&) const override {
        return std::make_unique<AsLogged>(*this);
    }

  private:
    using Entry = std::pair<Time, JobId>;

    const JobTable* table_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting_;
};

const bool as_logged_registered = backfill_registry().add({
    .name = "as-logged",
    .doc = "The log's own schedule: every job starts after its wait in the log.",
    .reference = "",
    .parameters = {},
    .reads = {},
    .reads_given = {},
    .works_on = {.underway = false},
    .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
        return std::make_unique<AsLogged>(context);
    },
});

} // namespace

} // namespace slotwise
