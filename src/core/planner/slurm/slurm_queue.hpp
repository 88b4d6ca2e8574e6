// The waiting jobs in Slurm's order.
//
// Priorities are those computed at the last renewal. A job that has arrived since then keeps the
// priority computed on its arrival.
#pragma once

#include "order/order.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_site.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class SlurmQueue {
  public:
    SlurmQueue(const SlurmSite& site, const OrderSpec& order, const ReplayJobs& jobs);
    // Copies the queue for use with `jobs`, which is a copy of the jobs that `other` reads.
    SlurmQueue(const SlurmQueue& other, const OrderSpec& order, const ReplayJobs& jobs);

    // Returns true if priorities change over time.
    bool drifts() const { return !order_->is_static(); }
    void renew(Time now);

    // Inserts a waiting job. Its age is measured from `eligible`.
    const SlurmJob& insert(JobId job, Time limit, Time eligible, Time now);
    // Marks a job as started. sweep() removes all marked jobs.
    void mark_started(std::size_t position) { jobs_[position].job = kNoJob; }
    void sweep() {
        std::erase_if(jobs_, [](const SlurmJob& each) { return each.job == kNoJob; });
    }

    std::span<const SlurmJob> jobs() const { return jobs_; }
    std::size_t size() const { return jobs_.size(); }

  private:
    double score(JobId job, Time eligible, Time now) const;
    bool before(const SlurmJob& a, const SlurmJob& b) const {
        return precedes(site_->cluster, a, b);
    }

    const SlurmSite* site_;
    const ReplayJobs* replay_;
    std::unique_ptr<Order> order_;
    std::vector<SlurmJob> jobs_;
};

} // namespace slotwise
