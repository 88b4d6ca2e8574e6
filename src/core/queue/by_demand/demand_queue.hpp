// Waiting jobs by demand, in the order in which jobs of one demand are tried.
//
// Example: jobs 0, 2 and 5 have demand 0, jobs 1 and 3 demand 1. Each job of the trace has a slot;
// those of demand 0 are 0 to 2, those of demand 1 are 3 and 4. Jobs 0, 2 and 5 wait, for 90, 20 and
// 10 s. The first of demand 0 of at most 30 s is job 2, in slot 1; the next from slot 2 on is
// job 5.
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

    // `demand_of` has one number below `n_demands` per job, and outlives this object. precedes(a,
    // b) is true if job a, of the demand of b, is tried before b; it must not change.
    DemandQueue(std::span<const std::uint32_t> demand_of, std::size_t n_demands,
                const std::function<bool(JobId, JobId)>& precedes);

    void insert(JobId job, Duration length) {
        lengths_.set(slots_->of_job[job], length);
        const std::uint32_t demand = slots_->demand_of[job];
        if (n_waiting_[demand]++ == 0) add(demand);
        least_[demand] = std::min(least_[demand], length);
    }

    // Requires that the job is in the queue.
    void erase(JobId job) {
        lengths_.set(slots_->of_job[job], min_tree_node::kEmpty);
        const std::uint32_t demand = slots_->demand_of[job];
        if (--n_waiting_[demand] == 0) remove(demand);
    }

    bool contains(JobId job) const {
        return lengths_[slots_->of_job[job]] != min_tree_node::kEmpty;
    }

    // Demands of the waiting jobs, in no order.
    std::span<const std::uint32_t> demands() const { return waiting_; }

    // A lower bound on the lengths of the waiting jobs of a demand. raise_least(): none is shorter.
    Duration least(std::uint32_t demand) const { return least_[demand]; }
    void raise_least(std::uint32_t demand, Duration least) { least_[demand] = least; }

    // Slots of a demand: begin(demand) to begin(demand + 1).
    Slot begin(std::uint32_t demand) const { return slots_->first[demand]; }
    Slot end(std::uint32_t demand) const { return slots_->first[demand + 1]; }
    JobId job(Slot slot) const { return slots_->job_in[slot]; }
    Slot slot_of(JobId job) const { return slots_->of_job[job]; }
    std::uint32_t demand_of(JobId job) const { return slots_->demand_of[job]; }

    // First slot of the demand at or after `from` whose job waits and has at most this length;
    // end(demand) if there is none.
    Slot next(std::uint32_t demand, Slot from, Duration longest) const {
        return static_cast<Slot>(lengths_.first(from, end(demand), longest));
    }

    // First slot of the demand whose job satisfies comes(job); so must all that follow.
    template <class Comes> Slot first_where(std::uint32_t demand, Comes&& comes) const {
        const auto& jobs = slots_->job_in;
        const auto found =
            std::partition_point(jobs.begin() + begin(demand), jobs.begin() + end(demand),
                                 [&](JobId job) { return !comes(job); });
        return static_cast<Slot>(found - jobs.begin());
    }

  private:
    struct Slots {                                // shared by copies
        std::span<const std::uint32_t> demand_of; // by job
        std::vector<Slot> first;                  // by demand; then the number of jobs
        std::vector<Slot> of_job;
        std::vector<JobId> job_in; // by slot
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
    MinTree lengths_;                      // by slot; empty: the job does not wait
    std::vector<Duration> least_;          // by demand
    std::vector<std::uint32_t> n_waiting_; // by demand
    std::vector<std::uint32_t> waiting_;   // demands of waiting jobs
    std::vector<std::uint32_t> place_of_;  // by demand: its place in waiting_
};

} // namespace slotwise
