// Jobs that a user has submitted to a simulation and that are not yet rows of its table.
#pragma once

#include "site/site.hpp"
#include "types.hpp"
#include "workload/grown_table.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

class Submissions {
  public:
    explicit Submissions(const JobTable& table);

    // Adds a job, which must be submitted at or after `earliest`. If a value is out of range, or
    // the job number is already in use, throws std::invalid_argument and changes nothing.
    void add(const NewJob& job, const JobTable& table, const Site& site, Time earliest);

    std::int64_t next_job_id() const { return next_job_id_; } // an unused job number
    const std::vector<NewJob>& jobs() const { return jobs_; }
    void clear() { jobs_.clear(); }

  private:
    void check(const NewJob& job, const JobTable& table, const Site& site, Time earliest) const;

    std::vector<NewJob> jobs_;
    std::int64_t next_job_id_;
};

} // namespace slotwise
