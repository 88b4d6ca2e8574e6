// Some jobs of a replay under way, as read-only columns.
#pragma once

#include "bindings.hpp"
#include "planner/job_tracker.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotwise::bindings {

// Where the jobs of a view are, while the replay stands still.
struct JobSource {
    const JobTable* table;
    const std::vector<Time>* start;
    std::span<const JobId> jobs;
    std::function<bool(JobId)> is_held;
    std::uint64_t version;                           // another one: the replay has moved
    std::function<QueueId(JobId)> queue_number = {}; // in a site of queues …
    std::function<PoolId(JobId)> pool_number = {};   // … and pools
};

// A column is gathered when it is first asked for after a move, into memory of its own: arrays
// taken before the move stay as they were.
class JobView {
  public:
    // `source` may throw where there is nothing to show.
    explicit JobView(std::function<JobSource()> source) : source_(std::move(source)) {}

    std::size_t size() const { return source_().jobs.size(); }
    py::object column(const std::string& name);

    static const std::vector<std::string>& names();

  private:
    std::function<JobSource()> source_;
    std::uint64_t version_ = 0;
    std::map<std::string, py::object> columns_; // gathered at version_
};

} // namespace slotwise::bindings
