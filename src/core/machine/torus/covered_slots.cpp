#include "machine/torus/covered_slots.hpp"

#include <iterator>

namespace slotwise {

// Splits the span that contains this position, so that a span begins there.
CoveredSlots::Covers::iterator CoveredSlots::split(std::int32_t at) {
    const auto after = covers_.upper_bound(at);
    const auto before = std::prev(after);
    return before->first == at ? before : covers_.emplace_hint(after, at, before->second);
}

// Merges a span with the one before it if both have the same number of holders.
void CoveredSlots::merge(Covers::iterator at) {
    if (at == covers_.begin() || at == covers_.end()) return;
    if (std::prev(at)->second == at->second) covers_.erase(at);
}

void CoveredSlots::change(NodeInterval nodes, std::int32_t sign) {
    if (nodes.empty()) return;
    const auto first = split(nodes.begin);
    const auto last = nodes.end < slots_.nodes() ? split(nodes.end) : covers_.end();
    for (auto at = first; at != last; ++at) {
        const std::int32_t before = at->second;
        at->second += sign;
        if (before != 0 && at->second != 0) continue;
        const auto next = std::next(at);
        const NodeInterval part{at->first, next == covers_.end() ? slots_.nodes() : next->first};
        if (before == 0)
            slots_.allocate(part);
        else
            slots_.release(part);
    }
    merge(last);
    merge(first);
}

} // namespace slotwise
