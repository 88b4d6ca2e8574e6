#include "availability/intervals/interval_plan.hpp"

#include "availability/intervals/choose_interval.hpp"

#include <algorithm>
#include <tuple>

namespace slotwise {

namespace {

constexpr auto kByBegin = [](const IntervalSpan& a, const IntervalSpan& b) {
    return std::tie(a.from, a.to, a.nodes.begin, a.nodes.end) <
           std::tie(b.from, b.to, b.nodes.begin, b.nodes.end);
};
constexpr auto kByEnd = [](const auto& a, const auto& b) {
    return std::tie(a.end, a.nodes.begin) < std::tie(b.end, b.nodes.begin);
};
constexpr auto kLaterEnd = [](const auto& a, const auto& b) { return kByEnd(b, a); };

bool meet(NodeInterval a, NodeInterval b) {
    return a.begin < b.end && b.begin < a.end;
}

} // namespace

IntervalPlan::IntervalPlan(NodeCount nodes, Allocation allocation, Time origin)
    : allocation_(allocation), now_(origin), now_slots_(nodes), largest_(nodes), planned_(nodes) {}

// Removes the spans that have ended.
void IntervalPlan::advance(Time now) {
    put_back();
    now_ = now;
    std::erase_if(ahead_, [&](const IntervalSpan& span) { return span.to <= now; });
}

void IntervalPlan::put_back() const {
    for (; n_aside_ > 0; --n_aside_)
        now_slots_.uncover(ahead_[n_aside_ - 1].nodes);
}

// Sets aside exactly those planned spans that a job of this length would overlap if it started now.
// The nodes of these spans do not count as free until put_back() is called.
void IntervalPlan::set_aside_for(Time length) {
    if (length == 0) return put_back();
    const Time until = now_ + length;
    for (; n_aside_ > 0 && ahead_[n_aside_ - 1].from >= until; --n_aside_)
        now_slots_.uncover(ahead_[n_aside_ - 1].nodes);
    for (; n_aside_ < ahead_.size() && ahead_[n_aside_].from < until; ++n_aside_)
        now_slots_.cover(ahead_[n_aside_].nodes);
}

void IntervalPlan::hold_now(NodeInterval nodes) {
    now_slots_.cover(nodes);
    if (n_aside_ == 0 && now_slots_.slots().free() == 0) largest_ = 0;
}

void IntervalPlan::free_now(NodeInterval nodes) {
    put_back();
    now_slots_.uncover(nodes);
    largest_ = now_slots_.slots().largest_size();
}

void IntervalPlan::plan_running(NodeInterval nodes, Time end) {
    const Running running{end, nodes};
    running_.insert(std::upper_bound(running_.begin(), running_.end(), running, kByEnd), running);
    planned_.cover(nodes);
}

void IntervalPlan::forget_running(NodeInterval nodes, Time end) {
    running_.erase(std::lower_bound(running_.begin(), running_.end(), Running{end, nodes}, kByEnd));
    planned_.uncover(nodes);
}

void IntervalPlan::add(const IntervalSpan& span) {
    if (span.to <= now_) return;
    put_back();
    ahead_.insert(std::upper_bound(ahead_.begin(), ahead_.end(), span, kByBegin), span);
}

// Removes the span. Does nothing if the span has already ended, because the plan no longer contains
// it.
void IntervalPlan::remove(const IntervalSpan& span) {
    put_back();
    const auto found = std::lower_bound(ahead_.begin(), ahead_.end(), span, kByBegin);
    if (found != ahead_.end() && *found == span) ahead_.erase(found);
}

NodeInterval IntervalPlan::choose(const Slots& slots, NodeCount size) const {
    return choose_interval(slots, allocation_, size);
}

NodeInterval IntervalPlan::find_now(NodeCount size, Time length) {
    if (size > largest_) return {};
    set_aside_for(length);
    if (n_aside_ == 0) largest_ = now_slots_.slots().largest_size();
    return choose(now_slots_.slots(), size);
}

bool IntervalPlan::is_free_now(NodeInterval nodes, Time length) {
    set_aside_for(length);
    return now_slots_.is_free(nodes);
}

void IntervalPlan::cover(const IntervalSpan& span) {
    planned_.cover(span.nodes);
    covered_.push_back({span.to, span.nodes});
    std::push_heap(covered_.begin(), covered_.end(), kLaterEnd);
}

// Frees the nodes of the spans that end at or before `time`.
void IntervalPlan::drop_until(Time time) {
    for (; n_ended_ < running_.size() && running_[n_ended_].end <= time; ++n_ended_)
        planned_.uncover(running_[n_ended_].nodes);
    while (!covered_.empty() && covered_.front().end <= time) {
        planned_.uncover(covered_.front().nodes);
        std::pop_heap(covered_.begin(), covered_.end(), kLaterEnd);
        covered_.pop_back();
    }
}

NodeInterval IntervalPlan::finish_search(NodeInterval nodes) {
    for (const Running& each : covered_)
        planned_.uncover(each.nodes);
    covered_.clear();
    for (; n_ended_ > 0; --n_ended_)
        planned_.cover(running_[n_ended_ - 1].nodes);
    found_ = nodes;
    return nodes;
}

// Tries starts at `from` and at the ends of spans, because more nodes become free only at these
// ends.
Time IntervalPlan::earliest(NodeCount size, Time length, Time from) {
    if (size > nodes()) return kNever;
    std::size_t next = 0;
    for (Time start = from;;) {
        drop_until(start);
        for (; next < ahead_.size() && ahead_[next].from < start + length; ++next)
            if (ahead_[next].to > start) cover(ahead_[next]);
        const NodeInterval nodes = choose(planned_.slots(), size);
        if (!nodes.empty()) {
            finish_search(nodes);
            return start;
        }
        start = kNever;
        if (n_ended_ < running_.size()) start = running_[n_ended_].end;
        if (!covered_.empty()) start = std::min(start, covered_.front().end);
    }
}

NodeInterval IntervalPlan::find(NodeCount size, Time from, Time to) {
    drop_until(from);
    for (const IntervalSpan& span : ahead_) {
        if (span.from >= to) break;
        if (span.to > from) cover(span);
    }
    return finish_search(choose(planned_.slots(), size));
}

bool IntervalPlan::has_room(const IntervalSpan& asked) const {
    const auto runs_into = [&](const Running& each) {
        return each.end > asked.from && meet(each.nodes, asked.nodes);
    };
    const auto meets = [&](const IntervalSpan& span) {
        return span.from < asked.to && span.to > asked.from && meet(span.nodes, asked.nodes);
    };
    return std::none_of(running_.begin(), running_.end(), runs_into) &&
           std::none_of(ahead_.begin(), ahead_.end(), meets);
}

} // namespace slotwise
