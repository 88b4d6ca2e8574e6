// The cheapest loop that handles the arrival and the end of each job. The benchmarks give all
// speeds relative to this loop.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

namespace slotwise {

// Starts every job at its submit time on an unlimited machine. The ends of jobs are kept in a
// binary heap, a std::priority_queue of (end, job). Before each submission, all ends that are due
// are popped. Then the end of the new job is pushed. Returns the sum of all end times, so that the
// compiler cannot remove any part of the loop. The function is compiled with the same flags as the
// rest of the core.
Time run_bare_loop(const JobTable& table);

} // namespace slotwise
