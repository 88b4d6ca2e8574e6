#include "queue/size_index.hpp"

#include <algorithm>

namespace slotwise {

using min_tree_node::kEmpty;
using min_tree_node::kFanout;
using min_tree_node::kShift;

SizeIndex::SizeIndex(std::span<const ProcCount> processors, std::span<const JobId> rank)
    : processors_(processors), in_arrival_order_(rank.empty()), sizes_(processors),
      shortest_(sizes_.count()) {
    lay_out(rank);
}

void SizeIndex::insert(JobId job, Duration length) {
    const Size size = size_of(job);
    Window& window = windows_[size];
    const Place place = place_of_[job];
    if (window.waiting++ == 0) {
        window.low = place;
        window.high = place + 1;
    } else {
        window.low = std::min(window.low, place);
        window.high = std::max(window.high, place + 1);
        if (nodes_between(window, window.height) > kFanout) {
            tighten(size);
            raise(window);
        }
    }
    std::size_t at = place - window.begin;
    level_of(window, 0)[at] = length;
    for (std::size_t k = 1; k <= window.height; ++k) {
        Duration& node = level_of(window, k)[at >> (kShift * k)];
        if (node <= length) break;
        node = length;
    }
    if (length < shortest_[size]) shortest_.set(size, length);
    Floor& floor = floors_[size];
    if (place < floor.place && length <= floor.longest) {
        floor.place = place;
        floor.job = job;
    }
}

void SizeIndex::erase(JobId job) {
    const Size size = size_of(job);
    Window& window = windows_[size];
    const Place place = place_of_[job];
    const std::size_t at = place - window.begin;
    const Duration length = level_of(window, 0)[at];
    level_of(window, 0)[at] = kEmpty;
    for (std::size_t k = 1; k <= window.height; ++k) {
        const std::size_t node = at >> (kShift * k);
        if (level_of(window, k)[node] != length) break;
        const Duration least = min_tree_node::minimum(level_of(window, k - 1) + (node << kShift));
        if (least == length) break;
        level_of(window, k)[node] = least;
    }
    if (--window.waiting == 0) {
        shortest_.set(size, kEmpty);
        if (in_arrival_order_) window.height = 1;
    }
    if (++window.erasures % kErasuresPerTightening == 0 && window.height > 1) tighten(size);
}

SizeIndex::Size SizeIndex::first_size(Size from, Size to, Duration longest) {
    while ((from = static_cast<Size>(shortest_.first(from, to, longest))) < to) {
        const Duration shortest = shortest_in(windows_[from]);
        if (shortest <= longest) break;
        shortest_.set(from, shortest);
    }
    return from;
}

SizeIndex::Place SizeIndex::first_of(Size size, Duration longest) {
    Floor& floor = floors_[size];
    const Place from = longest <= floor.longest ? floor.place : 0;
    const Place place = first_in_size(size, from, longest);
    if (place == kNoPlace)
        shortest_.set(size, shortest_in(windows_[size]));
    else
        floor = {place, job_at_[place], longest};
    return place;
}

SizeIndex::Place SizeIndex::first_in_size(Size size, Place from, Duration longest) const {
    const Window& window = windows_[size];
    if (window.waiting == 0 || from >= window.high) return kNoPlace;
    const std::size_t end = window.high - window.begin;
    std::size_t at = std::max(from, window.low) - window.begin;
    std::size_t level = 0;
    for (;; ++level) {
        const std::size_t level_end = ((end - 1) >> (kShift * level)) + 1;
        const bool top = level == window.height;
        const std::size_t stop =
            top ? level_end : std::min(level_end, (at >> kShift << kShift) + kFanout);
        const std::size_t found = min_tree_node::first(level_of(window, level), at, stop, longest);
        if (found < stop) {
            at = found;
            break;
        }
        if (top) return kNoPlace;
        at = (at >> kShift) + 1;
        if (at > (end - 1) >> (kShift * (level + 1))) return kNoPlace;
    }
    while (level-- > 0) {
        at <<= kShift;
        at += static_cast<std::size_t>(
            std::countr_zero(min_tree_node::at_most(level_of(window, level) + at, longest)));
    }
    return window.begin + static_cast<Place>(at);
}

// Nodes of `level` that the window spans.
std::size_t SizeIndex::nodes_between(const Window& window, std::size_t level) const {
    const std::size_t low = (window.low - window.begin) >> (kShift * level);
    const std::size_t last = (window.high - 1 - window.begin) >> (kShift * level);
    return last - low + 1;
}

// Brings the window to its first job, and gives up levels it no longer needs.
void SizeIndex::tighten(Size size) {
    Window& window = windows_[size];
    if (!in_arrival_order_ || window.waiting == 0) return;
    const Place first = first_in_size(size, window.low, kAnyLength);
    if (first != kNoPlace) window.low = first;
    while (window.height > 1 && nodes_between(window, window.height - 1) <= kFanout / 2)
        lower(window);
}

// Keeps levels until the window spans sixteen nodes of the highest.
void SizeIndex::raise(Window& window) {
    while (nodes_between(window, window.height) > kFanout) {
        const Duration* below = level_of(window, window.height);
        ++window.height;
        Duration* nodes = level_of(window, window.height);
        const unsigned shift = kShift * window.height;
        const std::size_t last = (window.high - 1 - window.begin) >> shift;
        for (std::size_t i = (window.low - window.begin) >> shift; i <= last; ++i)
            nodes[i] = min_tree_node::minimum(below + (i << kShift));
    }
}

// Gives up the highest level.
void SizeIndex::lower(Window& window) {
    const unsigned shift = kShift * window.height;
    Duration* nodes = level_of(window, window.height);
    const std::size_t last = (window.high - 1 - window.begin) >> shift;
    for (std::size_t i = (window.low - window.begin) >> shift; i <= last; ++i)
        nodes[i] = kEmpty;
    --window.height;
}

Duration SizeIndex::shortest_in(const Window& window) const {
    if (window.waiting == 0) return kEmpty;
    const unsigned shift = kShift * window.height;
    const Duration* nodes = level_of(window, window.height);
    Duration least = kEmpty;
    const std::size_t last = (window.high - 1 - window.begin) >> shift;
    for (std::size_t i = (window.low - window.begin) >> shift; i <= last; ++i)
        least = std::min(least, nodes[i]);
    return least;
}

// Gives every job its place and every size its levels.
void SizeIndex::lay_out(std::span<const JobId> rank) {
    const std::size_t n = processors_.size();
    std::vector<std::uint32_t> jobs_of_size(sizes_.count(), 0);
    for (const ProcCount p : processors_)
        ++jobs_of_size[sizes_.place_of(p)];
    windows_.resize(sizes_.count());
    floors_.resize(sizes_.count());
    std::vector<std::size_t> totals(kLevels, 0);
    for (std::size_t size = 0; size < sizes_.count(); ++size) {
        Window& window = windows_[size];
        std::size_t width = jobs_of_size[size];
        for (std::size_t k = 0;; ++k) {
            const std::size_t nodes = (width + kFanout - 1) / kFanout;
            window.base[k] = static_cast<std::uint32_t>(totals[k]);
            totals[k] += nodes * kFanout;
            if (k > 0 && width <= kFanout) {
                if (!in_arrival_order_) window.height = static_cast<std::uint32_t>(k);
                break;
            }
            width = nodes;
        }
        window.begin = window.base[0];
    }
    for (const std::size_t total : totals)
        nodes_.emplace_back(total + kFanout, kEmpty);
    std::vector<JobId> by_rank(rank.size());
    for (std::size_t job = 0; job < rank.size(); ++job)
        by_rank[rank[job]] = static_cast<JobId>(job);
    place_of_.resize(n);
    job_at_.resize(totals[0]);
    std::vector<Place> next(sizes_.count());
    for (std::size_t size = 0; size < sizes_.count(); ++size)
        next[size] = windows_[size].begin;
    for (std::size_t i = 0; i < n; ++i) {
        const JobId job = by_rank.empty() ? static_cast<JobId>(i) : by_rank[i];
        const Place place = next[size_of(job)]++;
        place_of_[job] = place;
        job_at_[place] = job;
    }
    for (std::size_t size = 0; size < sizes_.count(); ++size)
        floors_[size] = {windows_[size].begin, job_at_[windows_[size].begin], kAnyLength};
}

} // namespace slotwise
