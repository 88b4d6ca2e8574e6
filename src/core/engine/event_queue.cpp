#include "engine/event_queue.hpp"

#include "workload/trace_report.hpp"

#include <bit>
#include <string>

namespace slotwise {

EventQueue::EventQueue(std::size_t n_jobs, Time origin)
    : bits_(static_cast<unsigned>(std::bit_width(n_jobs))), origin_(origin), job_of_(n_jobs),
      keys_(16, kPadding) {}

void EventQueue::refuse(Time end) const {
    throw TraceError("a job would end at " + std::to_string(end) +
                     " s, too far from the first submit at " + std::to_string(origin_) +
                     " s to be kept in order; check the trace's times");
}

} // namespace slotwise
