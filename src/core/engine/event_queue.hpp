// The completions to come, as a four-way heap of packed keys.
//
// The total order of a replay is (time, kind, sequence). Completions of one instant come in the
// order in which their jobs started, arrivals in the order of the trace, and Policy::event_order
// says which kind goes first. A key is (end − origin) · 2^bits + sequence, so one integer
// comparison decides.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class EventQueue {
  public:
    // For at most n_jobs pushes of ends at or after `origin`.
    EventQueue(std::size_t n_jobs, Time origin);

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    // The next end, or kNever.
    Time next() const { return next_; }

    // Throws TraceError where `end` lies too far from the origin for a packed key (2^39 s for 10
    // million jobs). O(log n).
    void push(Time end, JobId job) {
        const auto offset = static_cast<Key>(end - origin_);
        if (offset >> (63 - bits_) != 0) refuse(end);
        next_ = end < next_ ? end : next_;
        std::size_t hole = kRoot + size_++;
        if (keys_.size() < hole + 5) keys_.resize(keys_.size() * 2, kPadding);
        Key* keys = keys_.data();
        const Key key = (offset << bits_) | sequence_;
        job_of_[sequence_++] = job;
        while (hole > kRoot) {
            const std::size_t parent = hole / 4 + 2;
            if (keys[parent] <= key) break;
            keys[hole] = keys[parent];
            hole = parent;
        }
        keys[hole] = key;
    }

    // Removes the next end and returns its job. O(log n).
    JobId pop() {
        Key* keys = keys_.data();
        const Key top = keys[kRoot];
        const std::size_t last = kRoot + --size_;
        const Key key = keys[last];
        keys[last] = kPadding;
        std::size_t hole = kRoot;
        for (std::size_t child; (child = 4 * (hole - 2)) < last;) {
            const Key* c = keys + child;
            const std::size_t left = c[1] < c[0] ? 1 : 0;
            const std::size_t right = c[3] < c[2] ? 3 : 2;
            const std::size_t best = c[right] < c[left] ? right : left;
            if (c[best] >= key) break;
            keys[hole] = c[best];
            hole = child + best;
        }
        if (last != kRoot) keys[hole] = key;
        note_next();
        return job_of_[top & ((Key{1} << bits_) - 1)];
    }

    // Removes the ends of `jobs`, which may be pushed again; the others keep their order. Linear in
    // the queue but for a sort: for the rare instants at which the calendar kills.
    void remove(std::span<const JobId> jobs);

  private:
    using Key = std::uint64_t;

    [[noreturn]] void refuse(Time end) const;
    void note_next() {
        next_ = size_ == 0 ? kNever : origin_ + static_cast<Time>(keys_[kRoot] >> bits_);
    }

    static constexpr std::size_t kRoot =
        3; // children of i are 4(i − 2) … 4(i − 2) + 3: one cache line
    static constexpr Key kPadding = ~Key{0};

    unsigned bits_;
    Time origin_;
    Time next_ = kNever;
    std::size_t size_ = 0;
    std::size_t sequence_ = 0;
    std::vector<JobId> job_of_; // by sequence
    std::vector<Key> keys_;     // padded by kPadding behind the last
};

} // namespace slotwise
