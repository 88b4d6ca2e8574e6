#include "planner/nodes/reserved_nodes.hpp"

#include "availability/node_search.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns true if this reservation of whole nodes still cannot begin earlier, and still fits at its
// start. If so, `hold` receives the nodes that the reservation would now take.
bool still_begins(const HeldNodes::Held& last, const JobShape& shape, const NodeState& state,
                  NodeHold& hold) {
    const NodeCounts& counts = state.counts();
    const HoldRules rules(state, shape);
    if (shape.keeping != Keeping::whole_nodes || !rules.counts_by_class()) return false;
    std::int64_t before = 0;
    for (const std::size_t c : shape.classes) {
        if (state.has_reserved(c) || counts.keeps_cores(c)) return false;
        before += std::max(counts.most_idle(c, state.now(), last.from), 0);
    }
    if (before >= shape.demand.units) return false;
    std::int32_t left = shape.demand.units;
    for (const std::size_t c : rules.classes_in_order()) {
        std::int32_t room = counts.least_idle(c, last.from, last.to);
        for (const auto& [node_class, number] : last.hold.numbers)
            room += node_class == c ? number : 0;
        const std::int32_t taken = std::min(std::max(room, 0), left);
        if (taken > 0) hold.numbers.emplace_back(c, taken);
        left -= taken;
    }
    return left == 0;
}

} // namespace

void plan_held(const HeldNodes::Held& held, int sign, NodeState& state) {
    const JobShape& its = state.shapes().of(held.job);
    for (const auto& [node_class, number] : held.hold.numbers) {
        if (its.keeping == Keeping::whole_nodes)
            state.counts().keep_nodes(node_class, held.from, held.to, sign * number);
        else
            state.counts().keep_cores(node_class, held.from, held.to, sign * number);
    }
    state.plan(its, held.hold.places, held.from, held.to, sign);
    state.note_reserved(held.hold.places, sign);
}

ReservedNodes::ReservedNodes(const JobShapes& shapes, std::span<const PoolId> pool_of_class,
                             std::size_t n_pools)
    : of_(n_pools) {
    for (std::uint32_t shape = 0; shape < shapes.size(); ++shape) {
        const std::vector<std::size_t>& classes = shapes[shape].classes;
        pool_of_shape_.push_back(classes.empty() ? PoolId{0} : pool_of_class[classes.front()]);
    }
}

void ReservedNodes::settle(PoolId pool, NodeState& state) {
    for (const HeldNodes::Held& held : of_[pool].lingering())
        plan_held(held, -1, state);
    of_[pool].forget_lingering();
}

bool ReservedNodes::repeat(PoolId pool, JobId job, Time length, NodeState& state) {
    HeldNodes& reserved = of_[pool];
    const HeldNodes::Held* last = reserved.repeated();
    if (last == nullptr || last->job != job || last->to - last->from != length ||
        last->from <= state.now())
        return false;
    const JobShape& shape = state.shapes().of(job);
    const std::uint64_t changed = state.changes().changed(shape.classes);
    if (reserved.lingering().empty()) {
        if (last->changed != changed) return false;
        plan_held(*last, 1, state);
        reserved.add(HeldNodes::Held(*last));
        return true;
    }
    NodeHold hold;
    if (last->changed != changed &&
        (!still_begins(*last, shape, state, hold) || !(hold == last->hold)))
        return false;
    reserved.keep_repeated(changed);
    return true;
}

// A reservation lingers only if its pool has no other reservation. If several stayed in the plan, a
// later one could make it seem that an earlier one cannot begin sooner.
void ReservedNodes::drop(PoolId pool, NodeState& state) {
    if (of_[pool].held().empty()) return;
    settle(pool, state);
    of_[pool].drop();
    if (of_[pool].lingering().size() > 1) settle(pool, state);
}

bool ReservedNodes::all_begin_after(Time now) const {
    return std::all_of(of_.begin(), of_.end(), [&](const HeldNodes& of_pool) {
        return std::all_of(of_pool.held().begin(), of_pool.held().end(),
                           [&](const HeldNodes::Held& held) { return held.from > now; });
    });
}

Time ReservedNodes::first_beginning_from(PoolId pool, Time time) const {
    Time first = kNever;
    for (const HeldNodes::Held& held : of_[pool].held())
        if (held.from >= time) first = std::min(first, held.from);
    return first;
}

} // namespace slotwise
