#include "planner/slurm/nodes/slurm_search.hpp"

#include <algorithm>
#include <compare>
#include <map>

namespace slotwise {

namespace {

constexpr Time kFirstWindow = 30; // seconds; for select/cons_tres

// The values that determine when each node has room for the first unit of a request.
struct RoomKey {
    RoomKey(const SlurmRequest& request, const SlurmCluster& cluster)
        : whole(request.whole), constraint(request.constraint) {
        if (!whole) each = request.each;
        if (!whole) per_node = request.per_node;
        if (whole)
            for (const NodeClass& nodes : cluster.nodes->classes)
                fits.push_back(SlurmOccupancy::room(request, nodes.capacity) > 0);
    }
    auto operator<=>(const RoomKey&) const = default;

    bool whole;
    std::int32_t constraint;
    Amounts each;
    Amounts per_node;
    std::vector<bool> fits; // indexed by node class; used only for whole nodes
};

} // namespace

SlurmSearch::SlurmSearch(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                         const std::vector<SlurmRequest>& requests, const SlurmRules& rules)
    : cluster_(&cluster), occupancy_(&occupancy), requests_(&requests),
      window_step_(rules.bf_window_linear), overdue_(rules.kill_wait + rules.over_time_limit),
      gpu_weights_(cluster), with_room_(cluster.n_nodes()) {
    std::map<RoomKey, std::uint32_t> known;
    for (const SlurmRequest& request : requests) {
        const auto number = static_cast<std::uint32_t>(known.size());
        times_of_.push_back(known.try_emplace(RoomKey(request, cluster), number).first->second);
    }
    times_.resize(known.size());
}

SlurmSearch::SlurmSearch(const SlurmSearch& other, const SlurmCluster& cluster,
                         const SlurmOccupancy& occupancy, const std::vector<SlurmRequest>& requests)
    : SlurmSearch(other) {
    cluster_ = &cluster;
    occupancy_ = &occupancy;
    requests_ = &requests;
}

SlurmRoomTimes& SlurmSearch::times(std::uint32_t request) {
    SlurmRoomTimes& times = times_[times_of_[request]];
    times.follow(*cluster_, *occupancy_, (*requests_)[request]);
    return times;
}

// Returns false if the nodes are certainly not enough. If units share nodes, choosing nodes may
// still fail after this returns true.
bool SlurmSearch::is_enough(const SlurmRequest& request, const NodeBits& with_room,
                            EndKey until) const {
    if (!with_room.has_at_least(request.min_nodes)) return false;
    if (request.one_unit_per_node) return true;
    std::int64_t units = 0;
    with_room.for_each(
        [&](std::int32_t node) { units += occupancy_->room_at(request, node, until); });
    return units >= request.units;
}

// Chooses nodes from those with room now. The lightest nodes are tried first, and heavier ones are
// added until the job fits.
bool SlurmSearch::choose_light(const SlurmRequest& request) {
    NodeBits light(cluster_->n_nodes());
    for (const std::int64_t weight : cluster_->weights) {
        with_room_.for_each([&](std::int32_t node) {
            if (cluster_->weight(node) == weight) light.add(node);
        });
        if (is_enough(request, light, kFreeNow) &&
            choice_.choose(*cluster_, *occupancy_, gpu_weights_, request, light, kFreeNow))
            return true;
    }
    return false;
}

bool SlurmSearch::starts(std::uint32_t request, const NodeBits& allowed, const NodeBits& usable) {
    const SlurmRequest& asked = (*requests_)[request];
    const SlurmRoomTimes& known = times(request);
    with_room_.set_common(allowed, known.now());
    if (cluster_->linear && cluster_->weights.size() > 1) return choose_light(asked);
    gpu_weights_.reset(*cluster_, asked, usable);
    const bool fits =
        is_enough(asked, with_room_, kFreeNow) && choose(asked, allowed, with_room_, kFreeNow);
    if (!fits) gpu_weights_.set_as_submitted(*cluster_, asked, usable);
    return fits;
}

bool SlurmSearch::choose(const SlurmRequest& request, const NodeBits& allowed,
                         const NodeBits& with_room, EndKey until) {
    gpu_weights_.add_test(*cluster_, *occupancy_, request, allowed, until);
    return choice_.choose(*cluster_, *occupancy_, gpu_weights_, request, with_room, until);
}

SlurmSearch::Earliest SlurmSearch::earliest_by(std::uint32_t request, const NodeBits& allowed,
                                               Time now, Time later) {
    const std::int32_t constraint = (*requests_)[request].constraint;
    if (constraint < 0) return earliest_on(request, allowed, now, later);
    NodeBits suitable(cluster_->n_nodes());
    suitable.set_common(allowed, cluster_->constraints[static_cast<std::size_t>(constraint)]);
    return earliest_on(request, suitable, now, later);
}

SlurmSearch::Earliest SlurmSearch::earliest_on(std::uint32_t request, const NodeBits& allowed,
                                               Time now, Time later) {
    const SlurmRequest& asked = (*requests_)[request];
    SlurmRoomTimes& known = times(request);
    is_choice_open_ = false;
    with_room_.set_common(allowed, known.now());
    const std::int32_t missing = asked.min_nodes - with_room_.count();
    n_seen_ = known.n_now();
    if (missing <= 0 && is_enough(asked, with_room_, kFreeNow) &&
        choose(asked, allowed, with_room_, kFreeNow))
        return {now, false};
    const EndKey until = later == kNever ? kNeverFree : end_key(later + 1, 0) - 1;
    const EndKey needed =
        missing <= 0 ? kFreeNow : needed_by_blocks(known, allowed, asked.min_nodes, until);
    if (needed == kNeverFree && later != kNever) return {kNever, true};
    Time start = kNever;
    if (needed != kNeverFree)
        start = cluster_->linear ? after_single_ends(asked, known, allowed, now, needed)
                                 : after_groups(asked, known, allowed, now, needed);
    // Before Slurm gives up on a job, it tests the job as if the machine were idle.
    if (start == kNever) gpu_weights_.add_test(*cluster_, *occupancy_, asked, allowed, kNeverFree);
    return {start, false};
}

Time SlurmSearch::count_by(std::uint32_t request, const NodeBits& allowed, Time now, Time later) {
    const SlurmRoomTimes& known = times(request);
    is_choice_open_ = false;
    n_seen_ = known.n_now();
    with_room_.set_common(known.now(), allowed);
    if (with_room_.has_at_least((*requests_)[request].min_nodes)) return now;
    return count_on(request, allowed, now, later);
}

Time SlurmSearch::count_on(std::uint32_t request, const NodeBits& allowed, Time now, Time later) {
    SlurmRoomTimes& known = times_[times_of_[request]];
    const EndKey until = later == kNever ? kNeverFree : end_key(later + 1, 0) - 1;
    const EndKey needed = needed_by_blocks(known, allowed, (*requests_)[request].min_nodes, until);
    if (needed == kNeverFree) return kNever;
    add_room(known, allowed, needed);
    return expected(end_of(needed), now);
}

// Returns the job end after which `n_needed` nodes in total have room. First skips whole blocks of
// nodes that cannot be enough, and then calls needed_end().
EndKey SlurmSearch::needed_by_blocks(SlurmRoomTimes& times, const NodeBits& allowed,
                                     std::int32_t n_needed, EndKey until) {
    const std::size_t n_by = times.n_by(until);
    const auto are_too_few = [&](std::size_t n_blocks) {
        return !have_in_common(times.first_blocks(n_blocks), allowed, n_needed);
    };
    // Finds the largest n for which the first n blocks have too few allowed nodes.
    std::size_t first = n_seen_ / SlurmRoomTimes::kBlock;
    std::size_t last = n_by / SlurmRoomTimes::kBlock;
    const auto n_behind = static_cast<std::int32_t>(n_by - last * SlurmRoomTimes::kBlock);
    if (!have_in_common(times.first_blocks(last), allowed, n_needed - n_behind)) return kNeverFree;
    if (first < last && are_too_few(last)) first = last;
    for (std::size_t step = 1; first + step < last; step *= 2)
        if (are_too_few(first + step))
            first += step;
        else
            last = first + step;
    while (last > first + 1) {
        const std::size_t middle = first + (last - first) / 2;
        (are_too_few(middle) ? first : last) = middle;
    }
    with_room_.set_common(times.first_blocks(first), allowed);
    n_seen_ = first * SlurmRoomTimes::kBlock;
    return needed_end(times, allowed, n_needed - with_room_.count(), until);
}

// Returns true if the running job has some of the `allowed` nodes. `words` is their words_mask().
bool SlurmSearch::uses(const SlurmOccupancy::Running& running, const NodeBits& allowed,
                       std::uint64_t words) const {
    if ((running.words & words) == 0) return false;
    return std::any_of(running.parts.begin(), running.parts.end(),
                       [&](const auto& part) { return (allowed[part.word] & part.nodes) != 0; });
}

// Returns the job end after which `missing` more nodes have room for a unit each, or kNeverFree if
// that end is after `until`.
EndKey SlurmSearch::needed_end(const SlurmRoomTimes& times, const NodeBits& allowed,
                               std::int32_t missing, EndKey until) {
    const auto order = times.in_order();
    for (; n_seen_ < order.size() && order[n_seen_].first <= until; ++n_seen_) {
        const auto& [time, node] = order[n_seen_];
        if (!allowed.has(node)) continue;
        with_room_.add(node);
        if (--missing > 0) continue;
        ++n_seen_;
        return time;
    }
    return kNeverFree;
}

// Adds the allowed nodes that have room by `until`, in whole blocks as far as possible.
void SlurmSearch::add_room(SlurmRoomTimes& times, const NodeBits& allowed, EndKey until) {
    const auto order = times.in_order();
    constexpr std::size_t kFew = 2 * SlurmRoomTimes::kBlock;
    if (n_seen_ + kFew < order.size() && order[n_seen_ + kFew].first <= until) {
        const std::size_t n_blocks = times.n_by(until) / SlurmRoomTimes::kBlock;
        with_room_.set_common(times.first_blocks(n_blocks), allowed);
        n_seen_ = n_blocks * SlurmRoomTimes::kBlock;
    }
    for (; n_seen_ < order.size() && order[n_seen_].first <= until; ++n_seen_)
        if (allowed.has(order[n_seen_].second)) with_room_.add(order[n_seen_].second);
}

// Chooses nodes that have room by `until`, which must not decrease from one call to the next. If
// the job has one unit per node and its `max_nodes` allows enough nodes, the choice cannot fail,
// and is left to choose_found().
bool SlurmSearch::choose_until(const SlurmRequest& request, SlurmRoomTimes& times,
                               const NodeBits& allowed, EndKey until) {
    add_room(times, allowed, until);
    if (!is_enough(request, with_room_, until)) return false;
    const bool is_sure = request.one_unit_per_node && request.first_unit[0] > 0 &&
                         (request.max_nodes == 0 || request.max_nodes >= request.units);
    if (!is_sure) return choose(request, allowed, with_room_, until);
    gpu_weights_.add_test(*cluster_, *occupancy_, request, allowed, until);
    is_choice_open_ = true;
    open_until_ = until;
    return true;
}

void SlurmSearch::choose_found(std::uint32_t request) {
    if (is_choice_open_)
        choice_.choose(*cluster_, *occupancy_, gpu_weights_, (*requests_)[request], with_room_,
                       open_until_);
    is_choice_open_ = false;
}

Time SlurmSearch::same_until(Time now) const {
    const auto running = occupancy_->running();
    return running.empty() ? kNever : std::max(end_of(running.front().key), now);
}

// Returns the assumed end of a running job whose limit expires at `end`. `end` may be in the past.
Time SlurmSearch::expected(Time end, Time now) const {
    if (end > now) return end;
    return cluster_->linear ? now + 1 : std::max(now + 1, end + overdue_);
}

// Tries the job ends one by one, beginning with `needed`. Before `needed`, too few nodes have room.
Time SlurmSearch::after_single_ends(const SlurmRequest& request, SlurmRoomTimes& times,
                                    const NodeBits& allowed, Time now, EndKey needed) {
    const auto running = occupancy_->running();
    const std::uint64_t words = allowed.words_mask();
    auto each = std::lower_bound(
        running.begin(), running.end(), needed,
        [](const SlurmOccupancy::Running& held, EndKey key) { return held.key < key; });
    for (; each != running.end(); ++each)
        if (uses(*each, allowed, words) && choose_until(request, times, allowed, each->key))
            return expected(end_of(each->key), now);
    return kNever;
}

// Tries the job ends in groups, and chooses nodes as if all jobs of a group had ended. The first
// group contains all job ends up to the end of a window. The window begins at the first multiple of
// 30 s after the first job end on allowed nodes. To form the next group, the window grows until it
// contains at least one more job end. If the last job end of a group is on other nodes, the group
// extends to the next job end on allowed nodes.
Time SlurmSearch::after_groups(const SlurmRequest& request, SlurmRoomTimes& times,
                               const NodeBits& allowed, Time now, EndKey needed) {
    const auto running = occupancy_->running();
    const std::uint64_t words = allowed.words_mask();
    std::size_t at = next_on(allowed, words, 0);
    if (at == running.size()) return kNever;
    Time window = kFirstWindow;
    const Time first = end_of(running[at].key);
    const Time bound = first + kFirstWindow - first % kFirstWindow;
    for (;;) {
        at = next_on(allowed, words, std::max(at, last_until(bound + window)));
        if (at == running.size()) break;
        if (running[at].key >= needed && choose_until(request, times, allowed, running[at].key))
            return expected(end_of(running[at].key), now);
        if (++at == running.size()) return kNever;
        do
            window = window_step_ > 0 ? window + window_step_ : window * 2;
        while (end_of(running[at].key) > bound + window);
    }
    return last_group(request, times, allowed, now);
}

// Returns the position of the first running job, from position `from` onwards, that runs on at
// least one of the `allowed` nodes.
std::size_t SlurmSearch::next_on(const NodeBits& allowed, std::uint64_t words,
                                 std::size_t from) const {
    const auto running = occupancy_->running();
    while (from < running.size() && !uses(running[from], allowed, words))
        ++from;
    return from;
}

// Returns the position of the last running job that ends by `time`, or 0 if there is none.
std::size_t SlurmSearch::last_until(Time time) const {
    const auto running = occupancy_->running();
    const auto behind =
        std::upper_bound(running.begin(), running.end(), time,
                         [](Time t, const auto& each) { return t < end_of(each.key); });
    return behind == running.begin() ? 0 : static_cast<std::size_t>(behind - running.begin()) - 1;
}

// Tries the last job end on allowed nodes. Called if the last group ends with job ends on other
// nodes only.
Time SlurmSearch::last_group(const SlurmRequest& request, SlurmRoomTimes& times,
                             const NodeBits& allowed, Time now) {
    const auto running = occupancy_->running();
    const std::uint64_t words = allowed.words_mask();
    const auto last = std::find_if(running.rbegin(), running.rend(),
                                   [&](const auto& each) { return uses(each, allowed, words); });
    if (last == running.rend() || !choose_until(request, times, allowed, last->key)) return kNever;
    return expected(end_of(last->key), now);
}

} // namespace slotwise
