// The cheapest loop that handles both events of each job: the reference for every speed figure.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

namespace slotwise {

// Starts every job at its submit time on an unlimited machine. Before each submission the due
// completions are popped from a binary heap (std::priority_queue of (end, job)); then the job's end
// is pushed. Returns the sum of all ends, so that the compiler cannot remove any part. It is
// compiled with the same flags as the rest of the core.
Time run_bare_loop(const JobTable& table);

} // namespace slotwise
