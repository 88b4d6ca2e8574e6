// The waiting jobs, grouped by demand. Jobs with the same demand are in the order in which they are
// tried.
//
// Example: jobs 0, 2 and 5 have demand 0, and jobs 1 and 3 have demand 1. Each job in the trace has
// a slot. Demand 0 has slots 0 to 2, and demand 1 has slots 3 and 4. Jobs 0, 2 and 5 are waiting;
// their lengths are 90, 20 and 10 s. The first job of demand 0 with a length of at most 30 s is job
// 2, in slot 1. The next one, at or after slot 2, is job 5.
#pragma once

#include "containers/min_tree.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class DemandQueue {
  public:
    using Slot = std::uint32_t;

    // `demand_of` must outlive this object. It contains the demand of each job, a number below
    // `n_demands`. precedes(a, b) must return true if job a is tried before job b of the same
    // demand; its results must not change.
    DemandQueue(std::span<const std::uint32_t> demand_of, std::size_t n_demands,
                const std::function<bool(JobId, JobId)>& precedes);

    void insert(JobId job, Duration length) {
        lengths_.set(slots_->of_job[job], length);
        const std::uint32_t demand = slots_->demand_of[job];
        if (n_waiting_[demand]++ == 0) add(demand);
        least_[demand] = std::min(least_[demand], length);
    }

    // Removes a job, which must be in the queue.
    void erase(JobId job) {
        lengths_.set(slots_->of_job[job], min_tree_node::kEmpty);
        const std::uint32_t demand = slots_->demand_of[job];
        if (--n_waiting_[demand] == 0) remove(demand);
    }

    bool contains(JobId job) const {
        return lengths_[slots_->of_job[job]] != min_tree_node::kEmpty;
    }

    // Returns the demands of the waiting jobs, in no particular order.
    std::span<const std::uint32_t> demands() const { return waiting_; }

    // Returns a lower bound on the lengths of the waiting jobs of a demand. raise_least() records
    // that none of these jobs is shorter than the given length.
    Duration least(std::uint32_t demand) const { return least_[demand]; }
    void raise_least(std::uint32_t demand, Duration least) { least_[demand] = least; }

    // The jobs of a demand, waiting or not, have the slots [begin(demand), end(demand)).
    Slot begin(std::uint32_t demand) const { return slots_->first[demand]; }
    Slot end(std::uint32_t demand) const { return slots_->first[demand + 1]; }
    JobId job(Slot slot) const { return slots_->job_in[slot]; }
    Slot slot_of(JobId job) const { return slots_->of_job[job]; }
    std::uint32_t demand_of(JobId job) const { return slots_->demand_of[job]; }

    // Returns the demand's first slot, at or after `from`, whose job is waiting and has a length of
    // at most `longest`. Returns end(demand) if there is none.
    Slot next(std::uint32_t demand, Slot from, Duration longest) const {
        return static_cast<Slot>(lengths_.first(from, end(demand), longest));
    }

    // Returns the demand's first slot with a job for which comes(job) is true. comes(job) must also
    // be true for the jobs in all later slots of the demand.
    template <class Comes> Slot first_where(std::uint32_t demand, Comes&& comes) const {
        const auto& jobs = slots_->job_in;
        const auto found =
            std::partition_point(jobs.begin() + begin(demand), jobs.begin() + end(demand),
                                 [&](JobId job) { return !comes(job); });
        return static_cast<Slot>(found - jobs.begin());
    }

  private:
    struct Slots {                                // shared by copies
        std::span<const std::uint32_t> demand_of; // indexed by job
        std::vector<Slot> first; // indexed by demand; the last element is the number of jobs
        std::vector<Slot> of_job;
        std::vector<JobId> job_in; // indexed by slot
    };

    void add(std::uint32_t demand) {
        place_of_[demand] = static_cast<std::uint32_t>(waiting_.size());
        waiting_.push_back(demand);
        least_[demand] = kMaxDuration;
    }
    void remove(std::uint32_t demand) {
        const std::uint32_t place = place_of_[demand];
        place_of_[waiting_.back()] = place;
        waiting_[place] = waiting_.back();
        waiting_.pop_back();
    }

    std::shared_ptr<const Slots> slots_;
    MinTree lengths_;                      // lengths of the waiting jobs, indexed by slot
    std::vector<Duration> least_;          // indexed by demand
    std::vector<std::uint32_t> n_waiting_; // indexed by demand
    std::vector<std::uint32_t> waiting_;   // demands of waiting jobs
    std::vector<std::uint32_t> place_of_;  // for each demand, its place in waiting_
};

} // namespace slotwise
