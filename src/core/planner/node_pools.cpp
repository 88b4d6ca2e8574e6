#include "planner/node_pools.hpp"

#include "availability/pools/pool_plan.hpp"
#include "planner/inside_places.hpp"
#include "planner/named_places.hpp"

#include <algorithm>

namespace slotwise {

namespace {

struct Search {
    NodeState& state;
    NodeFences& fences;
    const JobShape& shape;
};

// The first start in [from, until]. All announced windows that begin before the job's end are
// planned.
Time earliest_until(Time until, const Search& asked, Time length, Time from) {
    NodeSearch search(asked.state, asked.shape);
    Time found = from;
    for (int i = 0; i < PoolPlan::kMostSearches && found != kNever; ++i) {
        found = search.earliest(length, found, until);
        if (found == kNever || !asked.fences.reach(found + length, asked.state)) return found;
        asked.state.changes().note_all_eased();
        search.forget();
    }
    return kNever;
}

// Adds a reservation to the plan (sign 1), or removes it (−1).
void plan(const HeldNodes::Held& held, int sign, NodeState& state) {
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

// Pool of the queues that have the nodes of each class.
std::vector<PoolId> pools_of_classes(const Site& site, const NodeLayout& layout) {
    std::vector<PoolId> pools(layout.n_classes(), 0);
    for (const Queue& queue : site.queues)
        for (std::size_t c = 0; c < pools.size(); ++c)
            if (layout.holds(queue.nodes, c)) pools[c] = queue.pools.front();
    return pools;
}

} // namespace

NodePools::NodePools(const Site& site, std::shared_ptr<const JobShapes> shapes, std::size_t n_jobs,
                     Time origin)
    : state_(std::move(shapes), origin), outages_(site, state_.layout()),
      reservations_(site, state_.layout()), classes_of_(site.pools.size()), started_(n_jobs),
      pool_of_class_(pools_of_classes(site, state_.layout())), reserved_(site.pools.size()),
      refusals_(state_.shapes(), pool_of_class_, site.pools.size()),
      moves_(state_.layout().n_classes()) {
    const NodeLayout& layout = state_.layout();
    for (const Queue& queue : site.queues)
        for (std::size_t c = 0; c < layout.n_classes(); ++c) {
            std::vector<std::size_t>& classes = classes_of_[queue.pools.front()];
            if (layout.holds(queue.nodes, c) &&
                std::find(classes.begin(), classes.end(), c) == classes.end())
                classes.push_back(c);
        }
    for (std::uint32_t shape = 0; shape < state_.shapes().size(); ++shape) {
        const std::vector<std::size_t>& classes = this->shapes()[shape].classes;
        pool_of_shape_.push_back(classes.empty() ? PoolId{0} : pool_of_class_[classes.front()]);
    }
    outages_.announce(fences_, origin);
    reservations_.announce(fences_, origin);
}

void NodePools::advance(Time now) {
    state_.advance(now);
}

std::int64_t NodePools::free_processors(PoolId pool) const {
    std::int64_t cores = 0;
    for (const std::size_t c : classes_of_[pool])
        cores += state_.free_cores(c);
    return cores;
}

bool NodePools::is_refused(JobId job, Time length) {
    const std::uint32_t number = shapes().number_of(job);
    const HeldNodes& held = reserved_[pool_of(number)];
    if (!refusals_.is_refused(number, shapes().of(job), length, state_, held)) return false;
    refusals_.follow(state_);
    if (refusals_.is_noted_under(pool_of(number), held.present())) refusals_.note_known(number);
    return true;
}

Time NodePools::refused_from(std::uint32_t shape) {
    const Time from =
        refusals_.refused_from(shape, shapes()[shape], state_, reserved_[pool_of(shape)]);
    if (from != kNever) refusals_.note_known(shape);
    return from;
}

// If a shape had no room, it has none for a longer time either, until something is freed.
bool NodePools::fits_now(JobId job, Time length) {
    if (is_refused(job, length)) return false;
    const JobShape& its = shapes().of(job);
    const std::uint32_t number = shapes().number_of(job);
    const bool may_fit = its.keeping == Keeping::whole_nodes
                             ? refusals_.has_idle_now(number, its, state_)
                             : refusals_.has_room_now(number, its, state_);
    if (!may_fit) return false;
    remove_lingering(pool_of(number));
    if (length > 0 && fences_.reach(state_.now() + length, state_)) {
        state_.changes().note_all_eased();
        refusals_.follow(state_);
    }
    NodeSearch search(state_, its);
    if (search.find_now(length, found_)) return true;
    if (search.failure().depends_on_order) moves_.note_misplaced(its);
    if (search.failure().lacks_room)
        refusals_.refuse(number, its,
                         {length, search.failure().units_with_room,
                          reserved_[pool_of(number)].present(),
                          search.failure().depends_on_kept},
                         state_);
    return false;
}

// A reservation by number takes idle nodes for a job; no window names them before the job ends.
bool NodePools::fits_inside(JobId job, Time length, std::uint32_t reservation) {
    const JobShape& its = settled_shape_of(job);
    fences_.reach(state_.now() + length, state_);
    const std::vector<std::int32_t>& named = reservations_.named(reservation);
    if (!named.empty())
        return place_on_kept(its, {named, reservations_.until(reservation)}, length,
                             state_, found_);
    NodeReservations::Numbers left = reservations_.numbers_left(reservation);
    for (auto& [node_class, nodes] : left) {
        const std::int32_t first = state_.layout().first[node_class];
        const bool is_named = fences_.names(first, state_.now(), state_.now() + length);
        const std::int32_t idle = outages_.present(node_class) - state_.busy(node_class);
        nodes = is_named ? 0 : std::min(nodes, idle);
    }
    return place_by_number(its, left, state_, found_);
}

std::string NodePools::place_on(JobId job, std::span<const std::int32_t> numbers,
                                const std::vector<std::int32_t>& queue_nodes, Time length) {
    const JobShape& its = settled_shape_of(job);
    if (length > 0) fences_.reach(state_.now() + length, state_);
    return place_on_named(state_, {its, queue_nodes, numbers, length}, found_);
}

void NodePools::start_inside(JobId job, std::uint32_t reservation, Time planned_end) {
    start(job, planned_end);
    reservations_.enter(reservation, job, places_.at(job), planned_end, state_);
}

void NodePools::start(JobId job, Time planned_end) {
    lifted_.note_start(job, found_, planned_end, state_);
    moves_.note_start(state_, found_);
    state_.take(shapes().of(job), found_, 1);
    state_.plan(shapes().of(job), found_, state_.now(), planned_end, 1);
    places_[job] = found_;
    numbered_.clear();
    for (const Place place : found_)
        numbered_.push_back(
            {state_.layout().number_of[static_cast<std::size_t>(place.node)], place.units});
    std::sort(numbered_.begin(), numbered_.end(),
              [](const Place& a, const Place& b) { return a.node < b.node; });
    started_.set(job, numbered_);
}

void NodePools::vacate(JobId job, Time planned_end) {
    const auto found = places_.find(job);
    if (reservations_.is_inside(job)) reservations_.leave(job, planned_end, state_);
    state_.take(shapes().of(job), found->second, -1);
    state_.plan(shapes().of(job), found->second, state_.now(), planned_end, -1);
    places_.erase(found);
}

void NodePools::prolong(JobId job, Time planned_end, Time end) {
    const std::vector<Place>& places = places_.at(job);
    if (reservations_.is_inside(job)) reservations_.prolong(job, planned_end, end, state_);
    state_.plan(shapes().of(job), places, state_.now(), planned_end, -1);
    state_.plan(shapes().of(job), places, state_.now(), end, 1);
    for (const Place place : places)
        state_.changes().note_class(state_.layout().class_of[static_cast<std::size_t>(place.node)],
                                    true);
}

Time NodePools::earliest(JobId job, Time length, Time from, Time until) {
    return earliest_until(until, {state_, fences_, settled_shape_of(job)}, length, from);
}

// Otherwise an earlier start than that of the last pass is searched for first.
bool NodePools::reserve(PoolId pool, JobId job, Time length) {
    if (repeat(pool, job, length)) {
        moves_.note_reservation(state_, shapes().of(job));
        return true;
    }
    const Held* last = reserved_[pool].repeated();
    const bool is_same = last != nullptr && last->job == job && last->to - last->from == length &&
                         last->from > state_.now();
    const Search search{state_, fences_, settled_shape_of(job)};
    Time from = is_same ? earliest_until(last->from, search, length, state_.now()) : kNever;
    if (from == kNever) from = earliest(job, length, state_.now(), kNever);
    if (from != kNever) reserve_at(pool, job, from, length);
    return from != kNever;
}

// Makes the reservation of the last pass again, if nothing has changed on its classes, or if it
// still begins and takes the same.
bool NodePools::repeat(PoolId pool, JobId job, Time length) {
    HeldNodes& reserved = reserved_[pool];
    const Held* last = reserved.repeated();
    if (last == nullptr || last->job != job || last->to - last->from != length ||
        last->from <= state_.now())
        return false;
    const std::uint64_t changed = state_.changes().changed(shapes().of(job).classes);
    if (reserved.lingering().empty()) {
        if (last->changed != changed) return false;
        plan(*last, 1, state_);
        reserved.add(Held(*last));
        return true;
    }
    NodeHold hold;
    if (last->changed != changed &&
        (!still_begins(*last, shapes().of(job), hold) || !(hold == last->hold)))
        return false;
    reserved.keep_repeated(changed);
    return true;
}

// True if a reservation of whole nodes in the plan cannot begin earlier, and has room for what it
// would take now. Adds what it has itself.
bool NodePools::still_begins(const Held& last, const JobShape& shape, NodeHold& hold) const {
    const NodeCounts& counts = state_.counts();
    const HoldRules rules(state_, shape);
    if (shape.keeping != Keeping::whole_nodes || !rules.counts_by_class()) return false;
    std::int64_t before = 0;
    for (const std::size_t c : shape.classes) {
        if (state_.has_reserved(c) || counts.keeps_cores(c)) return false;
        before += std::max(counts.most_idle(c, state_.now(), last.from), 0);
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

void NodePools::remove_lingering(PoolId pool) {
    for (const Held& held : reserved_[pool].lingering())
        plan(held, -1, state_);
    reserved_[pool].forget_lingering();
}

void NodePools::reserve_at(PoolId pool, JobId job, Time from, Time length) {
    const JobShape& its = settled_shape_of(job);
    Held held{job, std::max(from, state_.now()), 0, 0, 0, {}};
    held.to = held.from + length;
    held.changed = state_.changes().changed(its.classes);
    // If there is no room at the deadline, the reservation takes the node counts of the first later
    // time with room.
    if (!NodeSearch(state_, its).hold(held.from, held.to, held.hold)) {
        const Time later = earliest(job, length, held.from, kNever);
        if (later == kNever) return;
        NodeSearch(state_, its).hold(later, later + length, held.hold);
    }
    moves_.note_reservation(state_, its);
    plan(held, 1, state_);
    reserved_[pool].add(std::move(held));
}

void NodePools::drop_reservations(PoolId pool) {
    if (reserved_[pool].held().empty()) return;
    remove_lingering(pool);
    reserved_[pool].drop();
}

bool NodePools::all_reserved_later() const {
    return std::all_of(reserved_.begin(), reserved_.end(), [&](const HeldNodes& of_pool) {
        return std::all_of(of_pool.held().begin(), of_pool.held().end(),
                           [&](const Held& held) { return held.from > state_.now(); });
    });
}

void NodePools::promise(JobId job, Time start, Time length) {
    Held held{job, start, start + length, 0, 0, {}};
    NodeSearch(state_, settled_shape_of(job)).hold(held.from, held.to, held.hold);
    plan(held, 1, state_);
    held.n_freed = state_.counts().freed().count();
    promises_.insert_or_assign(job, std::move(held));
}

void NodePools::lay(JobId job, int sign) {
    const Held& held = promises_.at(job);
    const bool is_put_back = sign > 0 && lifted_.is_alone(held, state_);
    if (sign < 0) lifted_.note_before(held, state_);
    plan(held, sign, state_);
    if (sign < 0) {
        state_.changes().note_all_eased();
        lifted_.note_after(state_);
    } else if (is_put_back) {
        lifted_.note_put_back(state_);
    }
}

// Before its start, a promise leaves its resources available to others too. It can only move to a
// start before the end of something that was freed since it was last examined.
bool NodePools::may_start_earlier(JobId job) {
    Held& held = promises_.at(job);
    NodeSearch search(state_, shapes().of(job));
    FreedStretches& freed = state_.counts().freed();
    Time until = held.from - 1;
    const UnitDemand& demand = shapes().of(job).demand;
    const bool is_unit = demand.units == 1 && demand.nodes == 0 && state_.tenants() == nullptr;
    if (is_unit || shapes().of(job).keeping == Keeping::whole_nodes)
        until = std::min(until, freed.until(shapes().of(job).classes, held.n_freed) - 1);
    if (until >= state_.now() && search.may_move(held.hold, held.from, held.to, until)) return true;
    held.n_freed = freed.count();
    return false;
}

bool NodePools::has_room(JobId job) {
    const Held& held = promises_.at(job);
    return NodeSearch(state_, shapes().of(job)).has_room(held.hold, held.from, held.to);
}

bool NodePools::fits_promise(JobId job) {
    const Held& held = promises_.at(job);
    const Time length = held.to - held.from;
    NodeSearch search(state_, shapes().of(job));
    return (held.hold.places.empty() && search.find_now(length, found_)) ||
           search.find_now(length, held.hold, found_);
}

} // namespace slotwise
