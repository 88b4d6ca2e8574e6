#include "machine/nodes/idle_spans.hpp"

namespace slotwise {

namespace {

std::uint64_t hash_of(std::size_t node_class, IdleSpan idle) {
    constexpr std::uint64_t kOdd = 0xD1B54A32D192ED03U;
    std::uint64_t hash = static_cast<std::uint64_t>(idle.begin) * kOdd + node_class;
    hash = (hash ^ (hash >> 29)) * kOdd + static_cast<std::uint64_t>(idle.end);
    return hash ^ (hash >> 32);
}

} // namespace

void IdleSpans::add(std::size_t node_class, IdleSpan idle, std::int64_t nodes) {
    const std::uint64_t hash = hash_of(node_class, idle);
    std::int32_t found = places_.first(hash);
    const auto at = [&](std::int32_t place) -> Entry& {
        return entries_[static_cast<std::size_t>(place)];
    };
    while (found >= 0 && (at(found).idle != idle || at(found).node_class != node_class))
        found = places_.next(found);
    if (found < 0) {
        places_.insert(static_cast<std::int32_t>(entries_.size()), hash);
        entries_.push_back({idle, node_class, nodes});
        return;
    }
    at(found).nodes += nodes;
    if (at(found).nodes != 0) return;
    places_.erase(found);
    const auto last = static_cast<std::int32_t>(entries_.size()) - 1;
    if (found != last) {
        places_.erase(last);
        at(found) = entries_.back();
        places_.insert(found, hash_of(at(found).node_class, at(found).idle));
    }
    entries_.pop_back();
}

} // namespace slotwise
