#include "planner/slurm/slurm_plan_table.hpp"

#include <algorithm>

namespace slotwise {

void SlurmPlanTable::begin(Time now, Time end) {
    spans_.assign(1, {now, 0});
    bits_.assign(n_words_, ~std::uint64_t{0});
    end_ = end;
    n_made_ = 1;
    begins_at_once_ = false;
}

// The span that holds `time`; the first one for earlier times.
std::size_t SlurmPlanTable::span_at(Time time) const {
    const auto behind = std::upper_bound(spans_.begin(), spans_.end(), time,
                                         [](Time t, const Span& span) { return t < span.begin; });
    return behind == spans_.begin() ? 0 : static_cast<std::size_t>(behind - spans_.begin()) - 1;
}

// Makes a span begin at `at`, unless that is outside the table.
void SlurmPlanTable::split(Time at) {
    if (at >= end_) return;
    const std::size_t holder = span_at(at);
    if (spans_[holder].begin >= at) return;
    const auto from = static_cast<std::ptrdiff_t>(spans_[holder].bits);
    const auto copy = static_cast<std::uint32_t>(bits_.size());
    bits_.resize(bits_.size() + n_words_);
    std::copy_n(bits_.begin() + from, n_words_, bits_.begin() + copy);
    spans_.insert(spans_.begin() + static_cast<std::ptrdiff_t>(holder) + 1, Span{at, copy});
    ++n_made_;
}

void SlurmPlanTable::add(Time from, Time to, const std::vector<std::int32_t>& nodes) {
    const Time begin = std::max(from, spans_.front().begin);
    if (begin == spans_.front().begin && !begins_at_once_) {
        begins_at_once_ = true;
        ++n_made_;
    }
    if (begin >= end_) return;
    split(begin);
    split(to);
    for (std::size_t at = span_at(begin); at < spans_.size() && spans_[at].begin < to; ++at) {
        std::uint64_t* words = bits_.data() + spans_[at].bits;
        for (const std::int32_t node : nodes)
            words[static_cast<std::size_t>(node) >> 6] &= ~(std::uint64_t{1} << (node & 63));
    }
    merge_one(begin, to);
}

void SlurmPlanTable::merge_one(Time from, Time to) {
    std::size_t at = span_at(from);
    // The last span that ends before the plan; a span that ends as the plan begins is not before.
    at = at >= 2 ? at - 2 : 0;
    for (; at + 1 < spans_.size() && spans_[at].begin < to; ++at) {
        if (!std::equal(bits(at), bits(at) + n_words_, bits(at + 1))) continue;
        spans_.erase(spans_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        return;
    }
}

// True if the span has a usable node that is not in `together`.
bool SlurmPlanTable::frees(std::size_t at, const NodeBits& usable, const NodeBits& together) const {
    const std::uint64_t* words = bits(at);
    for (std::size_t w = 0; w < n_words_; ++w)
        if ((words[w] & usable[w] & ~together[w]) != 0) return true;
    return false;
}

Time SlurmPlanTable::keep_free(Time from, Time to, NodeBits& nodes) const {
    usable_ = nodes;
    Time later = kNever;
    std::size_t at = span_at(from);
    for (; at < spans_.size() && spans_[at].begin <= to; ++at) {
        const std::uint64_t* words = bits(at);
        for (std::size_t w = 0; w < n_words_; ++w)
            nodes[w] &= words[w];
        if (later == kNever && at + 1 < spans_.size() && frees(at + 1, usable_, nodes))
            later = spans_[at + 1].begin;
    }
    // The span behind is looked at as well.
    if (later == kNever && at + 1 < spans_.size()) {
        NodeBits together = nodes;
        for (std::size_t w = 0; w < n_words_; ++w)
            together[w] &= bits(at)[w];
        if (frees(at + 1, usable_, together)) later = spans_[at + 1].begin;
    }
    return later;
}

Time SlurmPlanTable::same_until(Time now, Time to) const {
    const std::size_t next = span_at(now) + 1;
    const std::size_t behind = span_at(to) + 1;
    Time until = next < spans_.size() ? spans_[next].begin : kNever;
    if (behind < spans_.size()) until = std::min(until, now + spans_[behind].begin - to);
    return until;
}

bool SlurmPlanTable::meets(Time from, Time to, const std::vector<std::int32_t>& nodes) const {
    for (std::size_t at = span_at(from); at < spans_.size() && spans_[at].begin < to; ++at) {
        if (end_of(at) <= from) continue;
        const std::uint64_t* words = bits(at);
        for (const std::int32_t node : nodes)
            if ((words[static_cast<std::size_t>(node) >> 6] >> (node & 63) & 1) == 0) return true;
    }
    return false;
}

} // namespace slotwise
