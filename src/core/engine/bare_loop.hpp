// The cheapest loop that handles the arrival and the end of each job. The benchmarks give all
// speeds relative to this loop.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

namespace slotwise {

// Starts every job at its submit time on an unlimited machine. The end times of running jobs are
// kept in a binary heap, a std::priority_queue of (end, job). When a job arrives, the loop first
// pops all end times that are due, then pushes the end time of the new job. Returns the sum of all
// end times, so that the compiler cannot remove any part of the loop. The function is compiled with
// the same flags as the rest of the core.
Time run_bare_loop(const JobTable& table);

} // namespace slotwise
