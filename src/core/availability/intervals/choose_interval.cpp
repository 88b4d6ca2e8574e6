#include "availability/intervals/choose_interval.hpp"

namespace slotwise {

NodeInterval choose_interval(const Slots& slots, Allocation rule, NodeCount size) {
    NodeInterval slot;
    switch (rule) {
    case Allocation::contiguous_best:
        slot = slots.best_fit(size);
        break;
    case Allocation::contiguous_worst:
        if (slots.largest_size() >= size) slot = slots.largest();
        break;
    default:
        slot = slots.first_fit(size);
    }
    return slot.empty() ? slot : NodeInterval{slot.begin, slot.begin + size};
}

} // namespace slotwise
