#include "availability/node_counts.hpp"

#include <algorithm>

namespace slotwise {

NodeCounts::NodeCounts(const NodeLayout& layout, Time origin, bool counts_cores)
    : counts_cores_(counts_cores), kept_(layout.n_classes()), n_cores_kept_(layout.n_classes(), 0),
      now_(origin), n_changes_(layout.n_classes(), 0), states_(layout.n_classes(), 0) {
    for (std::size_t c = 0; c < layout.n_classes(); ++c) {
        const std::int32_t cores = static_cast<std::int32_t>(layout.capacity(c)[0]);
        cores_each_.push_back(cores);
        idle_.emplace_back(layout.count(c), origin);
        if (counts_cores) cores_.emplace_back(layout.count(c) * cores, origin);
    }
}

void NodeCounts::advance(Time now) {
    now_ = now;
    for (Profile& profile : idle_)
        profile.advance(now);
    for (Profile& profile : cores_)
        profile.advance(now);
}

// Adds a window to the list of count reservations. A window with a negative number removes the
// matching one, which may already have begun. If only part of a window is released, the whole
// window remains listed.
void NodeCounts::note_kept(std::size_t node_class, const Kept& window) {
    std::vector<Kept>& kept = kept_[node_class];
    if (window.number < 0) {
        const auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept& other) {
            return other.to == window.to && std::max(other.from, now_) == window.from &&
                   other.number == -window.number;
        });
        if (found != kept.end()) kept.erase(found);
        return;
    }
    std::erase_if(kept, [&](const Kept& other) { return other.to <= now_; });
    if (window.from < window.to) kept.push_back(window);
}

void NodeCounts::keep_nodes(std::size_t node_class, Time from, Time to, std::int32_t nodes) {
    from = std::max(from, now_);
    note_kept(node_class, {from, to, nodes});
    note_changed(node_class);
    if (to <= from) return;
    if (nodes < 0) freed_.note(node_class, to);
    idle_[node_class].add(from, to, -nodes);
    if (counts_cores_) cores_[node_class].add(from, to, -nodes * cores_each_[node_class]);
}

void NodeCounts::keep_cores(std::size_t node_class, Time from, Time to, std::int32_t cores) {
    from = std::max(from, now_);
    note_kept(node_class, {from, to, cores});
    n_cores_kept_[node_class] += cores;
    note_changed(node_class);
    if (cores < 0) freed_.note(node_class, to);
    if (to > from && counts_cores_) cores_[node_class].add(from, to, -cores);
}

void NodeCounts::note_change(std::size_t node_class, const FreeSteps& steps, std::int32_t nodes,
                             std::int64_t cores, Time from, Time to) {
    note_changed(node_class);
    if (cores > 0) freed_.note(node_class, to);
    const std::int64_t most = cores_each_[node_class];
    const auto free_of = [&](std::int64_t amount) {
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(amount, 0, most));
    };
    for (std::size_t i = steps.at(from); i < steps.size() && steps.begin(i) < to; ++i) {
        const std::int64_t before = steps.free(i)[0];
        const std::int64_t after = before + cores;
        const Time begin = std::max(from, steps.begin(i));
        const Time end = std::min(to, steps.end(i));
        const int idle = static_cast<int>(after == most) - static_cast<int>(before == most);
        if (idle != 0) idle_[node_class].add(begin, end, nodes * idle);
        if (counts_cores_)
            cores_[node_class].add(begin, end, nodes * (free_of(after) - free_of(before)));
    }
}

std::int32_t NodeCounts::nodes_left(std::size_t node_class, Time from, Time to) const {
    const std::int32_t idle = idle_[node_class].least(from, to);
    if (!counts_cores_ || idle <= 0) return std::max(idle, 0);
    const std::int32_t cores = std::max(cores_[node_class].least(from, to), 0);
    return std::min(idle, cores / cores_each_[node_class]);
}

std::int32_t NodeCounts::cores_left(std::size_t node_class, Time from, Time to) const {
    return std::max(least_cores(node_class, from, to), 0);
}

bool NodeCounts::is_overdrawn() const {
    const auto is_below = [&](const Profile& profile) { return profile.least(now_, kNever) < 0; };
    return std::any_of(idle_.begin(), idle_.end(), is_below) ||
           std::any_of(cores_.begin(), cores_.end(), is_below);
}

void NodeCounts::use(std::size_t node_class, Time from, Time to, std::int32_t idle,
                     std::int32_t cores) {
    if (idle != 0) idle_[node_class].add(from, to, -idle);
    if (counts_cores_ && cores != 0) cores_[node_class].add(from, to, -cores);
    used_.push_back({node_class, from, to, idle, cores});
}

void NodeCounts::undo() {
    for (const Use& use : used_) {
        if (use.idle != 0) idle_[use.node_class].add(use.from, use.to, use.idle);
        if (counts_cores_ && use.cores != 0)
            cores_[use.node_class].add(use.from, use.to, use.cores);
    }
    used_.clear();
}

// If the stored result is still valid but does not reach `end`, the new result covers twice the
// time from now until `end`.
const LeftSteps& NodeCounts::left_over_time(const std::vector<std::size_t>& classes, bool whole,
                                            Time end) {
    states_asked_.clear();
    for (const std::size_t c : classes)
        states_asked_.push_back(states_[c]);
    auto found = std::find_if(left_.begin(), left_.end(), [&](const Left& left) {
        return left.whole == whole && left.classes == classes;
    });
    const bool is_known = found != left_.end() && found->states == states_asked_;
    if (is_known && found->end >= end) return found->steps;
    if (found == left_.end()) {
        if (left_.size() < kMostLeft) left_.emplace_back();
        next_left_ = (next_left_ + 1) % left_.size();
        found = left_.begin() + static_cast<std::ptrdiff_t>(next_left_);
        found->classes = classes;
        found->whole = whole;
    }
    if (is_known && end < kNever / 2) end += std::max<Time>(end - now_, 0);
    points_.resize(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i)
        list_points(classes[i], whole, end, points_[i]);
    found->steps.build(now_, end, points_);
    found->states = states_asked_;
    found->end = end;
    return found->steps;
}

void NodeCounts::list_points(std::size_t node_class, bool whole, Time end,
                             LeftSteps::OfClass& points) const {
    const auto list = [&](const Profile& profile, std::vector<LeftSteps::Point>& listed) {
        profile.for_each_from(now_, [&](Time time, ProcCount number) {
            if (time < end) listed.push_back({time, number});
        });
    };
    points.numbers.clear();
    points.cores.clear();
    points.cores_each = cores_each_[node_class];
    list(whole ? idle_[node_class] : cores_[node_class], points.numbers);
    if (whole && counts_cores_) list(cores_[node_class], points.cores);
}

void NodeCounts::list_changes(std::size_t node_class, Time after, std::vector<Time>& times) const {
    const auto note = [&](Time time, ProcCount) {
        if (time > after) times.push_back(time);
    };
    idle_[node_class].for_each_from(after, note);
    if (counts_cores_) cores_[node_class].for_each_from(after, note);
}

} // namespace slotwise
