// The log's own schedule, to compare with: every job starts when the log says it did, capacity unasked.
#include "schedule/scheduler.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise {

namespace {

class AsLogged final : public Scheduler {
  public:
    explicit AsLogged(const ReplayContext& context) : table_(context.jobs.table) {
        if (table_->wait.empty())
            throw std::invalid_argument("backfill 'as-logged' on a trace without logged waits; it "
                                        "needs the wait of every job (field 3 of an SWF line)");
        const auto unknown = std::find_if(table_->wait.begin(), table_->wait.end(),
                                          [](std::int64_t wait) { return wait < 0; });
        if (unknown == table_->wait.end()) return;
        const auto row = static_cast<std::size_t>(unknown - table_->wait.begin());
        throw std::invalid_argument("backfill 'as-logged' needs the logged wait of every job; job " +
                                    std::to_string(row) + " of the trace has " +
                                    std::to_string(*unknown));
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

const bool registered = scheduler_registry().add({
    .name = "as-logged",
    .doc = "The log's own schedule: every job starts after the wait the log gives.",
    .reference = "",
    .parameters = {},
    .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
        return std::make_unique<AsLogged>(context);
    },
});

}  // namespace

}  // namespace slotwise
