#include "engine/event_queue.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace slotwise {

EventQueue::EventQueue(std::size_t n_jobs, Time origin)
    : bits_(static_cast<unsigned>(std::bit_width(n_jobs))), origin_(origin), keys_(16, kPadding) {}

void EventQueue::push(Time end, JobId job) {
    const auto offset = static_cast<Key>(end - origin_);
    if (offset >> (63 - bits_) != 0)
        throw std::invalid_argument("a job would end at " + std::to_string(end) +
                                    " s, too far from the first submit at " +
                                    std::to_string(origin_) +
                                    " s to keep in order; check the trace's times");
    std::size_t hole = kRoot + size_++;
    if (keys_.size() < hole + 5) keys_.resize(keys_.size() * 2, kPadding);
    const Key key = (offset << bits_) | job;
    while (hole > kRoot) {
        const std::size_t parent = hole / 4 + 2;
        if (keys_[parent] <= key) break;
        keys_[hole] = keys_[parent];
        hole = parent;
    }
    keys_[hole] = key;
}

JobId EventQueue::pop() {
    const Key top = keys_[kRoot];
    const std::size_t last = kRoot + --size_;
    const Key key = keys_[last];
    keys_[last] = kPadding;
    std::size_t hole = kRoot;
    for (;;) {
        const std::size_t child = 4 * (hole - 2);
        if (child >= last) break;
        const Key* c = keys_.data() + child;
        const std::size_t left = c[1] < c[0] ? 1 : 0;
        const std::size_t right = c[3] < c[2] ? 3 : 2;
        const std::size_t best = c[right] < c[left] ? right : left;
        if (c[best] >= key) break;
        keys_[hole] = c[best];
        hole = child + best;
    }
    if (last != kRoot) keys_[hole] = key;
    return static_cast<JobId>(top & ((Key{1} << bits_) - 1));
}

}  // namespace slotwise
