// Part of NodeSearch: finds the earliest start of a job.
#include "availability/free_groups/unit_fit.hpp"
#include "availability/node_search.hpp"

#include <algorithm>
#include <functional>

namespace slotwise {

namespace {

// Returns the first time after `after` at which some node of the classes is idle, or kNever if
// there is none.
Time next_idle(const NodeGroups& groups, const JobShape& shape, Time after) {
    Time next = kNever;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].size == 0 || shape.room[groups[g].node_class] == 0) continue;
        for (const IdleSpan& idle : groups[g].idle)
            if (idle.begin > after) next = std::min(next, idle.begin);
    }
    return next;
}

// Returns the end of a job that begins at `until`, or kNever if that end would be later than
// kNever.
Time end_of_last(Time until, Time length) {
    return until < kNever - length ? until + length : kNever;
}

// A promise that is in the plan.
struct PromisedStay {
    const NodeHold& hold;
    Time from;
    Time to;
};

// Returns false only if it is certain that the promise cannot start by `until`. The resources that
// the promise itself holds count as free.
bool may_move_whole(NodeState& state, const JobShape& shape, const PromisedStay& stay, Time until) {
    const auto& [hold, from, to] = stay;
    std::vector<std::int32_t> numbers(shape.classes.size(), 0);
    LeftSteps::Own own{from, to, 0, numbers};
    for (const auto& [node_class, number] : hold.numbers) {
        const auto at = std::find(shape.classes.begin(), shape.classes.end(), node_class);
        numbers[static_cast<std::size_t>(at - shape.classes.begin())] += number;
        own.sum += number;
    }
    const bool has_reserved = std::any_of(shape.classes.begin(), shape.classes.end(),
                                          [&](std::size_t c) { return state.has_reserved(c); });
    const LeftSteps& left =
        state.counts().nodes_over_time(shape.classes, end_of_last(until, to - from));
    const LeftSteps::Asked asked{shape.demand.units, to - from, state.now(), until, kNever, own};
    const auto accept = [&](Time start) {
        std::int64_t units = 0;
        for (std::size_t i = 0; has_reserved && i < shape.classes.size(); ++i)
            units +=
                std::min(left.least(i, start, asked),
                         idle_throughout(state, shape.classes[i], start, start + asked.length));
        return !has_reserved || units >= asked.number;
    };
    const auto next = [&](Time start, Time step) {
        return has_reserved ? std::min(step, next_idle(state.groups(), shape, start)) : step;
    };
    return left.first(asked, accept, next) != kNever;
}

} // namespace

Time NodeSearch::earliest(Time length, Time from, Time until) {
    if (shape_.keeping == Keeping::whole_nodes) return earliest_whole(length, from, until);
    return state_.counts().counts_cores() ? earliest_shared(length, from, until)
                                          : first_fitting(length, from, until);
}

// Finds the start from the node counts and, if places are reserved, from the times at which each
// node is idle.
Time NodeSearch::earliest_whole(Time length, Time from, Time until) {
    NodeCounts& counts = state_.counts();
    if (shape_.classes.size() == 1 && !counts.counts_cores()) {
        const Time found = counts.earliest(shape_.classes[0], shape_.demand.units, length, from);
        return found <= until ? found : kNever;
    }
    const bool has_reserved = std::any_of(shape_.classes.begin(), shape_.classes.end(),
                                          [&](std::size_t c) { return state_.has_reserved(c); });
    const auto accept = [&](Time start) { return !has_reserved || fits(start, start + length); };
    const auto next = [&](Time start, Time step) {
        return has_reserved ? std::min(step, next_idle(state_.groups(), shape_, start)) : step;
    };
    const LeftSteps& left = counts.nodes_over_time(shape_.classes, kNever);
    return left.first({shape_.demand.units, length, from, until, kNever, {}}, accept, next);
}

// Tries only starts at which the classes have enough free cores.
Time NodeSearch::earliest_shared(Time length, Time from, Time until) {
    bool is_listed = false;
    const auto accept = [&](Time start) { return fits(start, std::min(start + length, before_)); };
    const auto next = [&](Time start, Time) {
        if (!is_listed) units_then_ = list_candidates(start, until);
        is_listed = true;
        return next_candidate(start);
    };
    const LeftSteps& left = state_.counts().cores_over_time(
        shape_.classes, before_ == kNever ? kNever : std::min(before_, end_of_last(until, length)));
    return left.first({shape_.least_cores(), length, from, until, before_, {}}, accept, next);
}

bool NodeSearch::may_move(const NodeHold& hold, Time from, Time to, Time until) {
    const Time length = to - from;
    NodeCounts& counts = state_.counts();
    if (shape_.keeping == Keeping::whole_nodes)
        return may_move_whole(state_, shape_, {hold, from, to}, until);
    if (!counts.counts_cores()) return true;
    before_ = from;
    if (is_one_unit()) return earliest_shared(length, state_.now(), until) != kNever;
    const LeftSteps& left =
        counts.cores_over_time(shape_.classes, std::min(from, end_of_last(until, length)));
    const auto accept = [](Time) { return true; };
    const auto next = [](Time, Time step) { return step; };
    return left.first({shape_.least_cores(), length, state_.now(), until, from, {}}, accept,
                      next) != kNever;
}

Time NodeSearch::first_fitting(Time length, Time from, Time until) {
    if (fits(from, from + length)) return from;
    units_then_ = list_candidates(from, until);
    for (Time time = next_candidate(from); time != kNever; time = next_candidate(time))
        if (fits(time, time + length)) return time;
    return kNever;
}

// Lists the times after `from` at which the job may begin to fit. Returns the number of units that
// fit on the nodes at `from` (considering each node on its own), or an upper bound on that number.
// If only the room on each node matters, omits the times at which a node's free amounts change but
// its room does not.
std::int64_t NodeSearch::list_candidates(Time from, Time until) {
    std::vector<Candidate>& found = candidates_;
    found.clear();
    n_taken_ = 0;
    std::vector<Time> times;
    for (const std::size_t c : shape_.classes)
        state_.counts().list_changes(c, from, times);
    if (state_.tenants() != nullptr) state_.tenants()->list_ends(from, times);
    for (const Time time : times)
        if (time <= until) found.push_back({time, 0});
    const bool lists_all =
        !is_free_of_kept(from, kNever) || ranks_by_free(state_.shapes().demands().rule);
    std::int64_t at_first = 0;
    for (std::size_t g = 0; g < state_.groups().size(); ++g) {
        const NodeGroups::Group& group = state_.groups()[g];
        const std::int32_t most = shape_.room[group.node_class];
        if (group.size == 0 || most == 0) continue;
        const FreeSteps& steps = group.steps;
        std::size_t i = steps.at(from);
        std::int32_t before = std::min(most, room_(steps.free(i)));
        at_first += std::int64_t{group.size} * before;
        while (++i < steps.size() && steps.begin(i) <= until) {
            const std::int32_t room = std::min(most, room_(steps.free(i)));
            if (lists_all || room != before)
                found.push_back({steps.begin(i), std::int64_t{group.size} * (room - before)});
            before = room;
        }
    }
    std::make_heap(found.begin(), found.end(), std::greater<>{});
    return at_first;
}

// Returns the next candidate time after `after` at which the nodes, each considered on its own,
// have room for enough units in total.
Time NodeSearch::next_candidate(Time after) {
    constexpr int few = 32; // number of candidates taken from the heap before the rest are sorted
    while (!candidates_.empty()) {
        if (n_taken_++ == few) std::sort(candidates_.begin(), candidates_.end(), std::greater<>{});
        const bool is_heap = n_taken_ <= few;
        const auto next = [&] {
            return is_heap ? candidates_.front().time : candidates_.back().time;
        };
        const Time time = next();
        while (!candidates_.empty() && next() == time) {
            if (is_heap) std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>{});
            units_then_ += candidates_.back().units;
            candidates_.pop_back();
        }
        if (time > after && units_then_ >= shape_.demand.units) return time;
    }
    return kNever;
}

// Returns true if some group has room for a unit without breaking a count reservation. In that
// case, each node of the group has room, except those on which a job has exceeded its planned end.
bool NodeSearch::has_group_for_unit(const Period& period) {
    forget_kept();
    const bool is_free = is_free_of_kept(period.from, period.to);
    const NodeGroups& groups = state_.groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].size > 0 && shape_.room[groups[g].node_class] > 0 &&
            holds_unit(state_, shape_, g, period.from, period.to) &&
            (is_free || allowed_on(g, 1, period) > 0))
            return true;
    return false;
}

} // namespace slotwise
