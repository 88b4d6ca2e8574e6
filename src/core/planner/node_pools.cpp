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

// Returns the earliest start in [from, until] at which the job fits. On return, all announced
// windows that begin before the job's end are in the plan.
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

// Returns, for each node class, the pool whose queues may use the class.
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
      pool_of_class_(pools_of_classes(site, state_.layout())),
      reserved_(state_.shapes(), pool_of_class_, site.pools.size()),
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
    return refused().is_refused(job, length);
}

// If a shape does not fit for one length, it does not fit for any greater length until something is
// freed.
bool NodePools::fits_now(JobId job, Time length) {
    if (is_refused(job, length)) return false;
    const JobShape& its = shapes().of(job);
    const std::uint32_t number = shapes().number_of(job);
    const bool may_fit = its.keeping == Keeping::whole_nodes
                             ? refusals_.has_idle_now(number, its, state_)
                             : refusals_.has_room_now(number, its, state_);
    if (!may_fit) return false;
    reserved_.settle(reserved_.pool_of(number), state_);
    if (length > 0 && fences_.reach(state_.now() + length, state_)) {
        state_.changes().note_all_eased();
        refusals_.follow(state_);
    }
    NodeSearch search(state_, its);
    if (search.find_now(length, found_)) return true;
    if (search.failure().depends_on_order) note_misplaced(job, length);
    if (search.failure().lacks_room)
        refusals_.refuse(number, its,
                         {length, search.failure().units_with_room,
                          reserved_.in_pool_of(number).present(), search.failure().depends_on_kept},
                         state_);
    return false;
}

// If the reservation does not name nodes, the job gets idle nodes. These nodes must not be listed
// in any window that begins before the job ends.
bool NodePools::fits_inside(JobId job, Time length, std::uint32_t reservation) {
    const JobShape& its = reserved_.settled_shape_of(job, state_);
    fences_.reach(state_.now() + length, state_);
    const std::vector<std::int32_t>& named = reservations_.named(reservation);
    if (!named.empty())
        return place_on_kept(its, {named, reservations_.until(reservation)}, length, state_,
                             found_);
    NodeReservations::Numbers left = reservations_.numbers_left(reservation);
    for (auto& [node_class, nodes] : left) {
        const std::int32_t first = state_.layout().first[node_class];
        const bool is_named = fences_.names(first, state_.now(), state_.now() + length);
        const std::int32_t idle = outages_.present(node_class) - state_.busy(node_class);
        nodes = is_named ? 0 : std::min(nodes, idle);
    }
    return place_by_number(its, left, state_, found_);
}

ProcCount NodePools::left(std::uint32_t reservation) const {
    ProcCount nodes = reservations_.named_left(reservation, state_);
    for (const auto& [node_class, number] : reservations_.numbers_left(reservation))
        nodes += std::clamp(outages_.present(node_class) - state_.busy(node_class), 0, number);
    return nodes;
}

std::string NodePools::place_on(JobId job, std::span<const std::int32_t> numbers,
                                const std::vector<std::int32_t>& queue_nodes, Time length) {
    const JobShape& its = reserved_.settled_shape_of(job, state_);
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
    return earliest_until(until, {state_, fences_, reserved_.settled_shape_of(job, state_)}, length,
                          from);
}

// First tries to repeat the reservation of the previous pass. If that fails, searches up to the old
// start first, and then beyond it.
bool NodePools::reserve(PoolId pool, JobId job, Time length) {
    if (reserved_.repeat(pool, job, length, state_)) {
        moves_.note_reservation(state_, shapes().of(job));
        return true;
    }
    const Held* last = reserved_[pool].repeated();
    const bool is_same = last != nullptr && last->job == job && last->to - last->from == length &&
                         last->from > state_.now();
    const Search search{state_, fences_, reserved_.settled_shape_of(job, state_)};
    Time from = is_same ? earliest_until(last->from, search, length, state_.now()) : kNever;
    if (from == kNever) from = earliest(job, length, state_.now(), kNever);
    if (from != kNever) reserve_at(pool, job, from, length);
    return from != kNever;
}

void NodePools::reserve_at(PoolId pool, JobId job, Time from, Time length) {
    const JobShape& its = reserved_.settled_shape_of(job, state_);
    Held held{job, std::max(from, state_.now()), 0, 0, 0, {}};
    held.to = held.from + length;
    held.changed = state_.changes().changed(its.classes);
    // If the job does not fit at `from`, the reservation still begins at `from`. It then takes the
    // nodes or node counts that the job would get at the first later start at which the job fits.
    if (!NodeSearch(state_, its).hold(held.from, held.to, held.hold)) {
        const Time later = earliest(job, length, held.from, kNever);
        if (later == kNever) return;
        NodeSearch(state_, its).hold(later, later + length, held.hold);
    }
    moves_.note_reservation(state_, its);
    plan_held(held, 1, state_);
    reserved_[pool].add(std::move(held));
}

// If the job starts later, it also ends later, and may then overlap a window or a reservation that
// begins after its current end. The search may therefore find other places for it. If jobs run
// inside user reservations, the places may change at any time.
void NodePools::note_misplaced(JobId job, Time length) {
    const JobShape& its = shapes().of(job);
    moves_.note_misplaced(its);
    const PoolId pool = reserved_.pool_of(shapes().number_of(job));
    const Time end = state_.now() + length;
    Time begin =
        std::min(fences_.first_beginning_from(end), reserved_.first_beginning_from(pool, end));
    if (reservations_.any_inside()) begin = end;
    if (begin != kNever) moves_.note_replaced(begin - length + 1);
}

void NodePools::drop_reservations(PoolId pool) {
    reserved_.drop(pool, state_);
}

void NodePools::promise(JobId job, Time start, Time length) {
    Held held{job, start, start + length, 0, 0, {}};
    NodeSearch(state_, reserved_.settled_shape_of(job, state_)).hold(held.from, held.to, held.hold);
    plan_held(held, 1, state_);
    held.n_freed = state_.counts().freed().count();
    promises_.insert_or_assign(job, std::move(held));
}

void NodePools::lay(JobId job, int sign) {
    const Held& held = promises_.at(job);
    const bool is_put_back = sign > 0 && lifted_.is_alone(held, state_);
    if (sign < 0) lifted_.note_before(held, state_);
    plan_held(held, sign, state_);
    if (sign < 0) {
        state_.changes().note_all_eased();
        lifted_.note_after(state_);
    } else if (is_put_back) {
        lifted_.note_put_back(state_);
    }
}

// An earlier start is possible only if part of the plan has been freed since the promise was last
// examined. The new start must lie before the end of the freed period.
bool NodePools::may_start_earlier(JobId job) {
    Held& held = promises_.at(job);
    NodeSearch search(state_, shapes().of(job));
    FreedNodeSpans& freed = state_.counts().freed();
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
