#include "planner/easy/nodes/node_room.hpp"

#include "machine/nodes/part_left.hpp"

namespace slotwise {

namespace {

// Returns the number of cores of the largest node. Each unit needs at least one core, so no node
// can hold more units than this.
std::int32_t most_cores(const Nodes& nodes) {
    std::int64_t most = 1;
    for (const NodeClass& of_class : nodes.classes)
        most = std::max(most, of_class.capacity[0]);
    return static_cast<std::int32_t>(std::min<std::int64_t>(most, 0x7FFFFFFF));
}

} // namespace

NodeRoom::NodeRoom(std::shared_ptr<const JobDemands> demands, std::size_t n_jobs, Time origin)
    : types_(std::move(demands)), most_units_(most_cores(*types_.demands().nodes)), now_(origin),
      places_(n_jobs), present_(*types_.demands().nodes), past_(present_), most_(types_.size()),
      freed_(kMostFreed) {}

void NodeRoom::advance(Time now) {
    now_ = now;
    std::size_t n_over = 0;
    for (; n_over < running_.size() && running_[n_over].first <= now; ++n_over) {
        const JobId job = running_[n_over].second;
        free(places_.of(job), each_of(job));
    }
    if (n_over == 0) return;
    running_.erase(running_.begin(), running_.begin() + static_cast<std::ptrdiff_t>(n_over));
    if (reservation_ == Reservation::pending) drop_reservation();
}

// Under best fit, a job that runs beyond the head's start may change the places that the head would
// get, so the reservation is then outdated.
void NodeRoom::start(JobId job, std::span<const Place> places, Time planned_end) {
    places_.set(job, places);
    present_.change(places, each_of(job), -1);
    running_.insert(std::lower_bound(running_.begin(), running_.end(), std::pair(planned_end, job)),
                    {planned_end, job});
    if (planned_end <= from_) return;
    past_.change(places, each_of(job), -1);
    is_outdated_ = is_outdated_ || ranks_by_free(types_.rule());
}

// If the job was planned to end before the head's start, nothing changes for the head: it still
// cannot start earlier, and it gets the same places as before.
void NodeRoom::finish(JobId job, Time planned_end) {
    if (planned_end <= now_) return; // advance() has already freed the job's places
    if (from_ != kNever && planned_end >= from_) is_outdated_ = true;
    running_.erase(std::lower_bound(running_.begin(), running_.end(), std::pair(planned_end, job)));
    free(places_.of(job), each_of(job));
}

void NodeRoom::free(std::span<const Place> places, const Amounts& each) {
    present_.change(places, each, 1,
                    [&](const PresentNodes::Group& before, const PresentNodes::Group& after,
                        std::span<const Place> run) {
                        for (std::size_t i = 0; i < run.size();) {
                            const std::size_t past = past_.of(run[i].node);
                            const std::size_t first = i;
                            while (i < run.size() && past_.of(run[i].node) == past)
                                ++i;
                            freed_[n_freed_++ % kMostFreed] = {
                                before.free, after.free, past_[past].free,
                                static_cast<std::int32_t>(i - first)};
                        }
                    });
}

void NodeRoom::reserve(Kind kind) {
    drop_reservation();
    reservation_ = Reservation::pending;
    reserved_kind_ = kind;
}

void NodeRoom::drop_reservation() {
    reservation_ = Reservation::none;
    from_ = kNever;
    is_outdated_ = false;
    ++n_reservations_;
}

// Finds the start and the places of the head: frees the places of running jobs in past_, in the
// order of their planned ends, until the head fits.
void NodeRoom::make_reservation() {
    reservation_ = Reservation::made;
    past_ = present_;
    const UnitDemand& asked = types_.demand(reserved_kind_);
    const UnitRoom room = room_of(reserved_kind_);
    std::int64_t units = present_.units(room, asked.units);
    const auto moved = [&](const PresentNodes::Group& before, const PresentNodes::Group& after,
                           std::span<const Place> run) {
        units += static_cast<std::int64_t>(run.size()) * (room(after.free) - room(before.free));
    };
    for (std::size_t i = 0; i < running_.size() && units < asked.units;)
        for (from_ = running_[i].first; i < running_.size() && running_[i].first == from_; ++i)
            past_.change(places_.of(running_[i].second), each_of(running_[i].second), 1, moved);
    fill(reserved_kind_, past_, nullptr, held_);
    past_.change(held_, asked.each, -1);
}

// Returns the bounds for this kind of job. First raises them if resources have been freed since
// they were computed. Jobs that have started since then are ignored, so the results are still upper
// bounds.
NodeRoom::Most& NodeRoom::most_of(Kind kind) {
    Most& most = most_[types_.type_of(kind)];
    if (most.reservation != n_reservations_) most.past = kUnknown;
    most.reservation = n_reservations_;
    if (n_freed_ - most.n_freed > kMostFreed)
        most = {kUnknown, kUnknown, n_freed_, n_reservations_};
    if (n_freed_ == most.n_freed) return most;
    if (most.past < kUnknown || most.now < kUnknown) {
        const UnitRoom room = room_of(kind);
        for (; most.n_freed < n_freed_; ++most.n_freed) {
            const Freed& freed = freed_[most.n_freed % kMostFreed];
            const std::int32_t after = room(freed.after);
            if (after == 0) continue;
            const std::int32_t before = room(freed.before);
            if (most.now < kUnknown) most.now += std::int64_t{freed.nodes} * (after - before);
            if (most.past >= kUnknown) continue;
            const std::int32_t past = room(freed.past);
            most.past +=
                std::int64_t{freed.nodes} * (std::min(after, past) - std::min(before, past));
        }
    }
    most.n_freed = n_freed_;
    return most;
}

Duration NodeRoom::longest(Kind kind) {
    const std::int64_t units = types_.demand(kind).units;
    Most& most = most_of(kind);
    if (most.now < units) return 0;
    if (reservation_ == Reservation::pending) {
        if (const std::int64_t found = present_.units(room_of(kind), units); found < units) {
            most.now = found;
            return 0;
        }
        make_reservation();
    }
    if (from_ == kNever || most.past >= units) return kMaxDuration;
    return static_cast<Duration>(std::clamp<Time>(from_ - now_, 0, kMaxDuration));
}

bool NodeRoom::place(Kind kind, Duration length, std::vector<Place>& places) {
    const std::int64_t units = types_.demand(kind).units;
    const bool is_past = from_ != kNever && now_ + length > from_;
    const UnitRoom room = room_of(kind);
    std::int64_t found = present_.units(room, units);
    if (found >= units && is_past) found = past_.units(room, units);
    if (found >= units) found = fill(kind, present_, is_past ? &past_ : nullptr, places);
    if (found >= units) return true;
    Most& most = most_of(kind);
    if (!is_past) most.now = std::min(most.now, found);
    most.past = std::min(most.past, found);
    return false;
}

// Places the units of a job, and returns how many fit. If the result is smaller than the number
// requested, no further unit fits on the nodes.
std::int64_t NodeRoom::fill(Kind kind, const PresentNodes& nodes, const PresentNodes* past,
                            std::vector<Place>& places) {
    const UnitRoom room = room_of(kind);
    const std::int32_t units = types_.demand(kind).units;
    const bool is_by_free = ranks_by_free(types_.rule());
    find_rooms(room, nodes, room_now_);
    if (past != nullptr) find_rooms(room, *past, room_past_);
    places.clear();
    std::int32_t left = units;
    for (const UnitTypes::Range& range : types_.ranges(kind)) {
        nodes.for_each_with_cores(range.begin, range.end, [&](std::int32_t node) {
            std::int32_t fit = room_now_[nodes.of(node)];
            if (past != nullptr) fit = std::min(fit, room_past_[past->of(node)]);
            if (fit == 0) return true;
            places.push_back({node, std::min(fit, is_by_free ? units : left)});
            if (!is_by_free) left -= places.back().units;
            return left > 0;
        });
        if (left == 0) break;
    }
    if (is_by_free) {
        sort_best(kind, nodes, places);
        std::size_t n = 0;
        for (; n < places.size() && left > 0; ++n) {
            places[n].units = std::min(places[n].units, left);
            left -= places[n].units;
        }
        places.resize(n);
    }
    const auto by_node = [](const Place& a, const Place& b) { return a.node < b.node; };
    if (!std::is_sorted(places.begin(), places.end(), by_node))
        std::sort(places.begin(), places.end(), by_node);
    return units - left;
}

void NodeRoom::sort_best(Kind kind, const PresentNodes& nodes, std::vector<Place>& offers) const {
    const Nodes& machine = *types_.demands().nodes;
    const Amounts& each = types_.demand(kind).each;
    std::vector<std::pair<double, Place>> sorted;
    for (const Place place : offers) {
        const PresentNodes::Group& group = nodes[nodes.of(place.node)];
        const Amounts& capacity = machine.classes[group.node_class].capacity;
        sorted.emplace_back(part_left(group.free, place.units, each, capacity), place);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(sorted.begin(), sorted.end(), offers.begin(),
                   [](const auto& offer) { return offer.second; });
}

void NodeRoom::find_rooms(const UnitRoom& room, const PresentNodes& nodes,
                          std::vector<std::int32_t>& of) {
    of.resize(nodes.size());
    for (std::size_t g = 0; g < nodes.size(); ++g)
        of[g] = nodes[g].size > 0 ? room(nodes[g].free) : 0;
}

} // namespace slotwise
