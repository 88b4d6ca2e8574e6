// The yardstick of every speed figure: the cheapest loop that still handles each job's two events.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

namespace slotwise {

// Starts every job at its submit on a machine without limit: before each submit the completions due
// are popped from a binary heap (std::priority_queue of (end, job)), then the job's own end is
// pushed. Returns the sum of all ends, so that no part of it can be left out. Compiled with the
// flags of everything else.
Time run_bare_loop(const JobTable& table);

} // namespace slotwise
