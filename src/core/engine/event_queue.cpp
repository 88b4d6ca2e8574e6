#include "engine/event_queue.hpp"

#include "workload/trace_report.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace slotwise {

EventQueue::EventQueue(std::size_t n_jobs, Time origin)
    : bits_(static_cast<unsigned>(std::bit_width(n_jobs))), origin_(origin), job_of_(n_jobs),
      keys_(16, kPadding) {}

// The others are numbered afresh, so that a replay never pushes more than n_jobs since a removal.
void EventQueue::remove(std::span<const JobId> jobs) {
    struct Entry {
        Key sequence;
        Time end;
        JobId job;
    };
    std::vector<JobId> leaving(jobs.begin(), jobs.end());
    std::sort(leaving.begin(), leaving.end());
    std::vector<Entry> staying;
    for (std::size_t i = kRoot; i < kRoot + size_; ++i) {
        const Key sequence = keys_[i] & ((Key{1} << bits_) - 1);
        const JobId job = job_of_[sequence];
        if (std::binary_search(leaving.begin(), leaving.end(), job)) continue;
        staying.push_back({sequence, origin_ + static_cast<Time>(keys_[i] >> bits_), job});
    }
    std::sort(staying.begin(), staying.end(),
              [](const Entry& a, const Entry& b) { return a.sequence < b.sequence; });
    std::fill(keys_.begin(), keys_.end(), kPadding);
    size_ = sequence_ = 0;
    next_ = kNever;
    for (const Entry& entry : staying)
        push(entry.end, entry.job);
}

void EventQueue::refuse(Time end) const {
    throw TraceError("a job would end at " + std::to_string(end) +
                     " s, too far from the first submit at " + std::to_string(origin_) +
                     " s to be kept in order; check the trace's times");
}

} // namespace slotwise
