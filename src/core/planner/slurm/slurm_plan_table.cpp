#include "planner/slurm/slurm_plan_table.hpp"

#include <algorithm>

namespace slotwise {

void SlurmPlanTable::begin(Time now, Time end) {
    spans_.assign(1, {now, 0, 0, false});
    bits_.assign(kSets * n_words_, ~std::uint64_t{0});
    freed_.assign(cluster_->partitions.size(), unknown);
    end_ = end;
    n_made_ = 1;
    begins_at_once_ = false;
}

std::size_t SlurmPlanTable::span_at(Time time) const {
    // This binary search has no branches, because the processor could not predict them.
    const Span* first = spans_.data();
    for (std::size_t n = spans_.size(); n > 1;) {
        const std::size_t half = n / 2;
        first += first[half].begin <= time ? half : 0;
        n -= half;
    }
    return static_cast<std::size_t>(first - spans_.data());
}

// Makes a span begin at `at`, unless that time is outside the table.
void SlurmPlanTable::split(Time at) {
    if (at >= end_) return;
    const std::size_t holder = span_at(at);
    if (spans_[holder].begin >= at) return;
    const auto from = static_cast<std::ptrdiff_t>(spans_[holder].bits);
    const auto copy = static_cast<std::uint32_t>(bits_.size());
    bits_.resize(bits_.size() + kSets * n_words_);
    const auto freed = static_cast<std::uint32_t>(freed_.size());
    freed_.resize(freed_.size() + cluster_->partitions.size(), unknown);
    std::copy_n(bits_.begin() + from, kSets * n_words_, bits_.begin() + copy);
    spans_.insert(spans_.begin() + static_cast<std::ptrdiff_t>(holder) + 1,
                  Span{at, copy, freed, false});
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
    hold(begin, to, nodes);
    merge_one(begin, to);
}

// Removes `nodes` from the spans between `from` and `to`. A span must begin at each of these two
// times.
void SlurmPlanTable::hold(Time from, Time to, const std::vector<std::int32_t>& nodes) {
    parts_.clear();
    for (const std::int32_t node : nodes) { // ascending
        const auto word = static_cast<std::uint32_t>(node >> 6);
        if (parts_.empty() || parts_.back().word != word) parts_.push_back({word, 0});
        parts_.back().nodes |= std::uint64_t{1} << (node & 63);
    }
    const std::size_t begin = span_at(from);
    for (std::size_t at = 0; at < begin; ++at)
        remove_parts(bits_.data() + spans_[at].bits + 2 * n_words_);
    std::size_t behind = begin;
    bool were_free = true; // true if all nodes were free in all these spans
    for (std::size_t at = begin; at < spans_.size(); ++at) {
        std::uint64_t* words = bits_.data() + spans_[at].bits;
        remove_parts(words + n_words_);
        if (spans_[at].begin >= to) continue;
        behind = at + 1;
        for (const Part& part : parts_)
            were_free = were_free && (part.nodes & ~words[part.word]) == 0;
        remove_parts(words);
        remove_parts(words + 2 * n_words_);
    }
    forget_freed(begin);
    // Within the new plan, results of compare() can change only if another plan already held some
    // of these nodes.
    for (std::size_t at = begin + 1; !were_free && at < behind; ++at)
        forget_freed(at);
    if (behind == spans_.size()) return;
    spans_[behind].may_free = true;
    forget_freed(behind);
}

void SlurmPlanTable::merge_one(Time from, Time to) {
    std::size_t at = span_at(from);
    // `at` is the first span of the plan. The search begins two spans before it, so the span
    // directly before the plan may also be merged with its predecessor.
    at = at >= 2 ? at - 2 : 0;
    for (; at + 1 < spans_.size() && spans_[at].begin < to; ++at) {
        if (!std::equal(bits(at), bits(at) + n_words_, bits(at + 1))) continue;
        spans_.erase(spans_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        return;
    }
}

// Determines whether any node of the partition is free in this span but not in the previous one.
SlurmPlanTable::Freed SlurmPlanTable::compare(std::size_t at, std::uint32_t partition) const {
    const NodeBits& nodes = cluster_->partitions[partition].nodes;
    const std::uint64_t* words = bits(at);
    const std::uint64_t* before = bits(at - 1);
    std::uint64_t found = 0;
    for (std::size_t w = nodes.first(); w < nodes.behind(); ++w)
        found |= words[w] & nodes[w] & ~before[w];
    return found != 0 ? Freed::some : Freed::none;
}

// Only neighbouring spans need to be compared. If a node is held in any span since `span`, the
// first span that frees this node comes directly after a span that holds it.
std::size_t SlurmPlanTable::next_freed(std::size_t span, Time to, std::uint32_t partition) {
    for (std::size_t at = span + 1; at < spans_.size(); ++at) {
        if (at >= span + 2 && spans_[at - 2].begin > to) break;
        if (spans_[at].may_free && frees(at, partition)) return at;
    }
    return kNoSpan;
}

bool SlurmPlanTable::keep_free(std::size_t at, Time to, std::int32_t n, NodeBits& nodes) const {
    constexpr std::size_t kSpansBetweenCounts = 8;
    if (spans_[at].begin > to) return nodes.has_at_least(n);
    if (at == 0 || spans_.back().begin <= to) {
        nodes.keep(at == 0 ? bits_so_far(span_at(to)) : bits_from_then(at));
        return nodes.has_at_least(n);
    }
    while (at < spans_.size() && spans_[at].begin <= to) {
        const std::size_t behind = std::min(at + kSpansBetweenCounts, spans_.size());
        for (; at < behind && spans_[at].begin <= to; ++at)
            nodes.keep(bits(at));
        if (!nodes.has_at_least(n)) return false;
    }
    return true;
}

bool SlurmPlanTable::keep_free_after(Time known, Time from, Time to, NodeBits& nodes) const {
    bool are_removed = false;
    for (std::size_t at = span_after(known, from); at < spans_.size() && spans_[at].begin <= to;
         ++at)
        are_removed = nodes.lose_all_but(bits(at)) || are_removed;
    return are_removed;
}

Time SlurmPlanTable::same_until(Time now, Time to) const {
    const std::size_t next = span_at(now) + 1;
    const std::size_t behind = span_at(to) + 1;
    Time until = next < spans_.size() ? spans_[next].begin : kNever;
    if (behind < spans_.size()) until = std::min(until, now + spans_[behind].begin - to);
    return until;
}

bool SlurmPlanTable::meets(Time from, Time to, Time known,
                           const std::vector<std::int32_t>& nodes) const {
    for (std::size_t at = span_after(known, from); at < spans_.size() && spans_[at].begin < to;
         ++at) {
        const std::uint64_t* words = bits(at);
        for (const std::int32_t node : nodes)
            if ((words[static_cast<std::size_t>(node) >> 6] >> (node & 63) & 1) == 0) return true;
    }
    return false;
}

} // namespace slotwise
