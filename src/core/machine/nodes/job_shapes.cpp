#include "machine/nodes/job_shapes.hpp"

#include "machine/nodes/part_left.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace slotwise {

namespace {

// Returns true if each unit takes a single core and nothing else, and the demand sets no condition
// except, possibly, a constraint on the nodes. The number of cores then describes the demand fully,
// because the shape lists the allowed nodes.
bool asks_cores_alone(const UnitDemand& demand) {
    Amounts one_core{};
    one_core.set(0, 1);
    return demand.each == one_core && demand.per_node == 0 && demand.nodes == 0 &&
           demand.exclusive == Exclusive::no;
}

Keeping keeping_of(const JobShape& shape, bool tells_users) {
    if (shape.demand.exclusive == Exclusive::user) return Keeping::places;
    const bool takes_whole = std::all_of(shape.classes.begin(), shape.classes.end(),
                                         [&](std::size_t c) { return shape.whole[c] != 0; });
    if (takes_whole) return Keeping::whole_nodes;
    return !tells_users && asks_cores_alone(shape.demand) ? Keeping::cores : Keeping::places;
}

bool any_for_its_user(const JobDemands& demands) {
    return std::any_of(demands.kinds.begin(), demands.kinds.end(), [](const UnitDemand& demand) {
        return demand.exclusive == Exclusive::user;
    });
}

} // namespace

double JobShape::left_on_idle(std::size_t node_class, const NodeLayout& layout) const {
    const Amounts& capacity = layout.capacity(node_class);
    return part_left(capacity, room[node_class], each_on(node_class, layout), capacity);
}

JobShapes::JobShapes(std::shared_ptr<const JobDemands> demands, NodeLayout layout,
                     std::span<const std::vector<std::int32_t>> queue_nodes,
                     std::span<const std::uint16_t> queue_of, std::span<const std::int32_t> user_of,
                     bool by_nodes)
    : demands_(std::move(demands)), layout_(std::move(layout)),
      tells_users_(any_for_its_user(*demands_)), by_nodes_(by_nodes) {
    std::map<std::tuple<std::uint16_t, std::uint32_t, std::int32_t>, std::uint32_t> known;
    for (std::size_t job = 0; job < queue_of.size(); ++job) {
        const std::uint32_t kind = demands_->kind_of[job];
        const std::int32_t user = tells_users_ && !user_of.empty() ? user_of[job] : -1;
        const auto [at, is_new] = known.try_emplace({queue_of[job], kind, user},
                                                    static_cast<std::uint32_t>(shapes_.size()));
        if (is_new) {
            static const std::vector<std::int32_t> all;
            const bool has_queue = queue_of[job] < queue_nodes.size();
            shapes_.push_back(make(demands_->kinds[kind],
                                   has_queue ? queue_nodes[queue_of[job]] : all, by_nodes));
            shapes_.back().tenant = {user, demands_->kinds[kind].exclusive == Exclusive::user};
            order(shapes_.back());
            shares_nodes_ =
                shares_nodes_ ||
                std::count(shapes_.back().whole.begin(), shapes_.back().whole.end(), 1) <
                    static_cast<std::ptrdiff_t>(shapes_.back().classes.size());
        }
        of_job_.push_back(at->second);
    }
}

bool JobShapes::satisfies(std::int32_t constraint, std::size_t node_class) const {
    const auto& nodes = demands_->constraints[static_cast<std::size_t>(constraint)];
    return !nodes.empty() && layout_.holds(nodes, node_class);
}

JobShape JobShapes::make(const UnitDemand& demand, const std::vector<std::int32_t>& queue_nodes,
                         bool by_nodes) const {
    JobShape shape;
    shape.demand = demand;
    const UnitRoom units(demand);
    for (std::size_t c = 0; c < layout_.n_classes(); ++c) {
        const bool may = layout_.holds(queue_nodes, c) &&
                         (demand.constraint < 0 || satisfies(demand.constraint, c));
        const UnitRoom::OnClass on = units.on(layout_.classes.classes[c]);
        const bool exclusive = demand.exclusive == Exclusive::job;
        shape.room.push_back(!may ? 0 : exclusive ? std::min(on.most, 1) : on.most);
        shape.whole.push_back(shape.room[c] > 0 && (exclusive || on.whole) ? 1 : 0);
        if (shape.room[c] > 0) shape.classes.push_back(c);
    }
    if (!by_nodes) shape.keeping = keeping_of(shape, tells_users_);
    return shape;
}

// Sorts the classes and the nodes of a shape into placement order. The nodes of all classes that
// have the same rank are sorted by node number.
void JobShapes::order(JobShape& shape) {
    const std::vector<std::vector<std::size_t>> ranked =
        ranked_classes(layout_.classes, shape.demand.each, demands_->rule);
    std::vector<std::int32_t> rank_of(layout_.n_classes(), -1); // by class; -1 if no unit fits
    for (std::size_t rank = 0; rank < ranked.size(); ++rank)
        for (const std::size_t c : ranked[rank])
            if (shape.room[c] > 0) rank_of[c] = static_cast<std::int32_t>(rank);
    std::stable_sort(shape.classes.begin(), shape.classes.end(),
                     [&](std::size_t a, std::size_t b) { return rank_of[a] < rank_of[b]; });
    const auto [found, is_new] = orders_.try_emplace(rank_of);
    if (is_new) {
        std::vector<std::int32_t> nodes;
        for (const std::size_t c : shape.classes)
            for (std::int32_t node = layout_.first[c]; node < layout_.first[c + 1]; ++node)
                nodes.push_back(node);
        const auto class_of = [&](std::int32_t node) {
            return layout_.class_of[static_cast<std::size_t>(node)];
        };
        const auto key = [&](std::int32_t node) {
            return std::pair(rank_of[class_of(node)],
                             layout_.number_of[static_cast<std::size_t>(node)]);
        };
        std::sort(nodes.begin(), nodes.end(),
                  [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
        std::size_t n_runs = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            n_runs += i == 0 || class_of(nodes[i]) != class_of(nodes[i - 1]) ? 1 : 0;
        found->second = {std::make_shared<const std::vector<std::int32_t>>(std::move(nodes)),
                         n_runs};
    }
    shape.nodes = found->second.nodes;
    shape.interleaves = found->second.n_runs > shape.classes.size();
}

bool JobShapes::can_hold(JobId job) const {
    return has_room(of(job), [&](std::size_t c) { return std::int64_t{layout_.count(c)}; });
}

} // namespace slotwise
