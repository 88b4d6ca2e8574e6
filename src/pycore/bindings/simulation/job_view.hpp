// A view of some jobs of a replay in progress, with read-only columns.
#pragma once

#include "bindings.hpp"
#include "containers/block_column.hpp"
#include "machine/nodes/job_demands.hpp"
#include "planner/job_tracker.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotwise::bindings {

// The jobs that a view shows. The pointers and `jobs` are valid until the replay changes.
struct JobSource {
    const ReplayJobs* replayed;
    const BlockColumn<Time>* start;
    std::span<const JobId> jobs;
    std::function<bool(JobId)> is_held;
    std::uint64_t version;                           // a number that grows when the replay changes
    std::function<QueueId(JobId)> queue_number = {}; // may be empty on a site without queues
    std::function<PoolId(JobId)> pool_number = {};   // may be empty if no job is in a pool
    const JobDemands* demands = nullptr;             // null on a machine without nodes
};

// A column is created when it is first read after the replay has changed. Each time, the column
// gets new memory, so arrays that were read earlier do not change.
class JobView {
  public:
    // `source` may throw an exception if there are no jobs to show.
    explicit JobView(std::function<JobSource()> source) : source_(std::move(source)) {}

    std::size_t size() const { return source_().jobs.size(); }

    // Returns the column at this position in names().
    py::object column(std::size_t at);

    // On a machine with nodes, returns the amounts that each unit of a job requests, by resource
    // name.
    py::dict each();

    static std::vector<std::string> names();

  private:
    std::function<JobSource()> source_;
    std::uint64_t version_ = 0;
    std::vector<py::object> columns_; // in the order of names(); null until read
};

} // namespace slotwise::bindings
