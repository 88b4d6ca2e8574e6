// The completions to come, as a four-way heap of packed keys.
//
// The total order of a replay is (time, kind, position in the trace); this file holds it for completions, arrivals come
// sorted in the trace, and Policy::event_order says which kind goes first. A key is (end − origin) · 2^bits + job, so one
// integer comparison orders by time and then by position in the trace.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

class EventQueue {
  public:
    // For jobs 0 … n_jobs − 1 ending at or after `origin`.
    EventQueue(std::size_t n_jobs, Time origin);

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    // The next end, or kNever.
    Time next() const {
        return size_ == 0 ? kNever : origin_ + static_cast<Time>(keys_[kRoot] >> bits_);
    }

    // Throws std::invalid_argument where `end` lies too far from the origin for a packed key (2^40 s for 10 million
    // jobs). O(log n).
    void push(Time end, JobId job);

    // Removes the next end and returns its job. O(log n).
    JobId pop();

  private:
    using Key = std::uint64_t;
    static constexpr std::size_t kRoot = 3;  // children of i are 4(i − 2) … 4(i − 2) + 3: one cache line
    static constexpr Key kPadding = ~Key{0};

    unsigned bits_;
    Time origin_;
    std::size_t size_ = 0;
    std::vector<Key> keys_;  // padded by kPadding behind the last
};

}  // namespace slotwise
