// NodeSearch: the earliest start of a job.
#include "availability/node_search.hpp"

#include <algorithm>

namespace slotwise {

Time NodeSearch::earliest(Time length, Time from, Time until) {
    if (shape_.keeping == Keeping::whole_nodes && shape_.classes.size() == 1 &&
        !state_.counts().counts_cores()) {
        const Time found =
            state_.counts().earliest(shape_.classes[0], shape_.demand.units, length, from);
        return found <= until ? found : kNever;
    }
    if (shape_.keeping == Keeping::whole_nodes) return earliest_whole(length, from, until);
    if (fits(from, from + length)) return from;
    std::vector<Candidate> candidates;
    const std::int64_t units = list_candidates(from, until, candidates);
    return first_fitting(candidates, units, length);
}

// Numbers of nodes decide, and where places are reserved, the stretches over which nodes are idle.
Time NodeSearch::earliest_whole(Time length, Time from, Time until) {
    const bool has_reserved = std::any_of(shape_.classes.begin(), shape_.classes.end(),
                                          [&](std::size_t c) { return state_.has_reserved(c); });
    const auto accept = [&](Time start) { return !has_reserved || fits(start, start + length); };
    const auto next = [&](Time start) { return has_reserved ? next_idle(start) : kNever; };
    return state_.counts()
        .left_over_time(shape_.classes)
        .first({shape_.demand.units, length, from, until}, accept, next);
}

// Time after `after` at which some node of the classes is idle first; kNever if there is none.
Time NodeSearch::next_idle(Time after) const {
    Time next = kNever;
    for (std::size_t g = 0; g < state_.groups().size(); ++g) {
        const NodeGroups::Group& group = state_.groups()[g];
        if (group.size == 0 || shape_.room[group.node_class] == 0) continue;
        for (const Stretch& idle : group.idle)
            if (idle.begin > after) next = std::min(next, idle.begin);
    }
    return next;
}

// Lists the times after `from` from which the job may fit, and gives the units that fit on single
// nodes at `from`, or a bound from above. Where all that counts is the room of each node, a time
// counts only if some room grows there.
std::int64_t NodeSearch::list_candidates(Time from, Time until,
                                         std::vector<Candidate>& found) const {
    std::vector<Time> times;
    for (const std::size_t c : shape_.classes)
        state_.counts().list_changes(c, from, times);
    if (state_.tenants() != nullptr) state_.tenants()->list_ends(from, times);
    for (const Time time : times)
        if (time <= until) found.push_back({time, 0});
    const bool lists_all = !is_free_of_kept(from, kNever) ||
                           state_.shapes().demands().rule == PlacementRule::best_fit;
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
    return at_first;
}

// The first candidate at which the room of single nodes suffices, and the job fits.
Time NodeSearch::first_fitting(std::vector<Candidate>& candidates, std::int64_t units,
                               Time length) {
    constexpr int few = 32; // times taken from the heap, before the rest is sorted
    const auto later = [](const Candidate& a, const Candidate& b) { return a.time > b.time; };
    std::make_heap(candidates.begin(), candidates.end(), later);
    for (int taken = 0; !candidates.empty(); ++taken) {
        if (taken == few) std::sort(candidates.begin(), candidates.end(), later);
        const bool is_heap = taken < few;
        const Time time = is_heap ? candidates.front().time : candidates.back().time;
        const auto has_more = [&] {
            return !candidates.empty() &&
                   (is_heap ? candidates.front().time : candidates.back().time) == time;
        };
        while (has_more()) {
            if (is_heap) std::pop_heap(candidates.begin(), candidates.end(), later);
            units += candidates.back().units;
            candidates.pop_back();
        }
        if (units >= shape_.demand.units && fits(time, time + length)) return time;
    }
    return kNever;
}

} // namespace slotwise
