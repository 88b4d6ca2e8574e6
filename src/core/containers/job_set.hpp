// The set of running jobs, for code that needs to read all of them.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class JobSet {
  public:
    explicit JobSet(std::size_t n_jobs) : place_(n_jobs) {}

    // insert() and erase() take O(1) time.
    void insert(JobId job) {
        place_[job] = static_cast<std::uint32_t>(jobs_.size());
        jobs_.push_back(job);
    }
    void erase(JobId job) {
        const std::uint32_t place = place_[job];
        jobs_[place] = jobs_.back();
        place_[jobs_[place]] = place;
        jobs_.pop_back();
    }

    bool empty() const { return jobs_.empty(); }

    // Returns the jobs, in no particular order.
    const std::vector<JobId>& jobs() const { return jobs_; }

  private:
    std::vector<JobId> jobs_;
    std::vector<std::uint32_t> place_; // index of a running job in jobs_
};

} // namespace slotwise
