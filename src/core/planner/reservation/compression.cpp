// PromisePlan: compression.
#include "planner/reservation/promise_plan.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace slotwise {

namespace {

constexpr std::size_t kManyPromises = 64;
constexpr std::uint32_t kOpening = std::uint32_t{1} << 31; // bit of entries that try an opening

} // namespace

void PromisePlan::compress() {
    profile_.tighten();
    if (promises_.size() < kManyPromises) {
        latest_.clear();
    } else if (!latest_.is_on() || wasted_ > 2 * promises_.n_blocks() + 4) {
        latest_.refresh(promises_);
        wasted_ = 0;
    }
    openings_.clear();
    if (is_due_.size() < promises_.n_ids()) is_due_.resize(promises_.n_ids(), 0);
    open_pending();
    while (!agenda_.empty())
        visit_next();
}

void PromisePlan::open_pending() {
    was_reached_.clear();
    was_reached_.swap(reached_);
    for (const Time t : was_reached_) {
        if (t <= profile_.origin()) continue;
        const Profile::Position at = profile_.locate(t);
        if (profile_.time(at) == t) reach(at, profile_.starts(at), profile_.value_before(at), 0);
    }
    was_left_.clear();
    was_left_.swap(left_);
    for (Opening& opening : was_left_) {
        if (opening.to <= profile_.origin()) continue;
        opening.from = std::max(opening.from, profile_.origin());
        openings_.push_back(opening);
        advance_opening(static_cast<std::uint32_t>(openings_.size() - 1), {0, 0});
    }
    if (freed_.size() == 1) {
        open_freed(freed_[0].from, freed_[0].to, freed_[0].processors);
    } else if (!freed_.empty()) {
        std::vector<std::pair<Time, ProcCount>> steps;
        for (const FreedSpan& span : freed_) {
            steps.emplace_back(span.from, span.processors);
            steps.emplace_back(span.to, -span.processors);
        }
        std::sort(steps.begin(), steps.end());
        ProcCount freed = 0;
        Time from = steps.front().first;
        for (std::size_t i = 0; i < steps.size();) {
            const Time at = steps[i].first;
            ProcCount change = 0;
            for (; i < steps.size() && steps[i].first == at; ++i)
                change += steps[i].second;
            if (change == 0) continue;
            if (freed > 0) open_freed(from, at, freed);
            freed += change;
            from = at;
        }
    }
    freed_.clear();
}

// Opens what has become free since `processors` were released on [from, to).
void PromisePlan::open_freed(Time from, Time to, ProcCount processors) {
    from = std::max(from, profile_.origin());
    if (from >= to) return;
    const Profile::Position first = profile_.locate(from);
    reach_in(first, to, 0);
    Opening opening{from, from, 0, 0, kNoRank};
    Profile::Position begins = first;
    Profile::Run run{from, from};
    const auto visit = [&](Profile::Position at, Time begin, Time end, ProcCount value) {
        const ProcCount below = std::max(value - processors, 0);
        if (begin < run.to && below >= opening.below) {
            opening.most = std::max(opening.most, value);
            opening.to = end;
            return;
        }
        if (run.to > run.from) open(opening, begins, run, nullptr);
        run = {begin, begin};
        if (value <= 0) return;
        opening = {begin, end, below, value, kNoRank};
        begins = at;
        run = profile_.run_around(at, below + 1);
    };
    profile_.for_each_stretch(first, from, to, visit);
    if (run.to > run.from) open(opening, begins, run, nullptr);
}

void PromisePlan::push(std::uint32_t rank, std::uint32_t what) {
    agenda_.push_back(std::uint64_t{rank} << 32 | what);
    std::push_heap(agenda_.begin(), agenda_.end(), std::greater<>());
}

// Tries the first promise of this start that fits just before it. Promises of ranks below
// `from_rank` must wait for the next sweep.
void PromisePlan::reach(Profile::Position at, const Profile::Starts& starts, ProcCount free,
                        std::uint32_t from_rank) {
    if (starts.narrowest > free) return;
    bool is_left = false;
    const bool is_any = promises_.of(starts_.last(starts)).rank >= from_rank;
    for (PromiseId id = starts.first; id != PromisedStarts::kNone; id = starts_.next(id)) {
        const Promise& p = promises_.of(id);
        if (p.processors > free) continue;
        if (p.rank >= from_rank) {
            if (is_due_[id] == 0) push(p.rank, id);
            is_due_[id] = 1;
            break;
        }
        is_left = true;
        if (!is_any) break;
    }
    if (is_left) reached_.push_back(profile_.time(at));
}

void PromisePlan::reach_in(Profile::Position at, Time to, std::uint32_t from_rank) {
    profile_.for_each_reached(
        at, to + grid_.period - 1,
        [&](Profile::Position point, const Profile::Starts& starts, ProcCount free) {
            reach(point, starts, free, from_rank);
        });
}

// Tries the promises behind `from`, or all if it is null.
void PromisePlan::open(const Opening& opening, Profile::Position at, const Profile::Run& run,
                       const PromiseQueue::Position* from) {
    RoomBounds bounds;
    if (!has_classes(opening, at, {run.to - run.from, run.from}, bounds)) return;
    openings_.push_back(opening);
    Opening& opened = openings_.back();
    const auto give_up = [&] { openings_.pop_back(); };
    if (from != nullptr) {
        const std::uint32_t rank = promises_.get(*from).rank + 1;
        if (latest_.is_on()) {
            left_.push_back(opening);
            left_.back().until_rank = rank;
        } else {
            if (!find_candidate(opened, at, bounds, {0, 0})) return give_up();
            if (promises_.of(opened.candidate).rank < rank) {
                left_.push_back(opening);
                left_.back().until_rank = rank;
                if (!find_candidate(opened, at, bounds, {from->block, from->index + 1}))
                    return give_up();
            }
        }
    } 
    if ((from == nullptr || latest_.is_on()) &&
        !find_candidate(opened, at, bounds,
                        from == nullptr ? PromiseQueue::Position{0, 0}
                                        : PromiseQueue::Position{from->block, from->index + 1}))
        return give_up();
    push(promises_.of(opened.candidate).rank,
         kOpening | static_cast<std::uint32_t>(openings_.size() - 1));
}

void PromisePlan::advance_opening(std::uint32_t number, const PromiseQueue::Position& from) {
    Opening& opening = openings_[number];
    const Profile::Position at = profile_.locate(opening.from);
    RoomBounds bounds;
    if (has_classes(opening, at, runs_in(opening, at, opening.below + 1), bounds) &&
        find_candidate(opening, at, bounds, from))
        push(promises_.of(opening.candidate).rank, kOpening | number);
}

PromisePlan::Runs PromisePlan::runs_in(const Opening& opening, Profile::Position at,
                                       ProcCount processors) const {
    Runs runs{0, kNever};
    profile_.for_each_run(at, opening.to, processors, [&](const Profile::Run& run) {
        runs.earliest = std::min(runs.earliest, run.from);
        runs.longest = std::max(runs.longest, run.to - run.from);
        return false;
    });
    return runs;
}

// Bounds the promises that may have room; false if there are none. `runs` are those of more than
// opening.below processors.
bool PromisePlan::has_classes(const Opening& opening, Profile::Position at, Runs runs,
                              RoomBounds& bounds) {
    if (runs.longest <= 0) return false;
    const Time base = promises_.base();
    const auto set_bounds = [&](ProcCount above_width) {
        bounds.above_width = above_width;
        bounds.up_to_duration = coarse_time(runs.longest);
        bounds.from_start = coarse_time(runs.earliest - base);
    };
    set_bounds(opening.below);
    bounds.up_to_width = opening.most;
    if (!latest_.is_on()) return true;
    ProcCount width = opening.below + 1;
    std::uint64_t left = LatestStarts::classes(width, opening.most) &
                         latest_.after(runs.earliest - base, runs.longest);
    classes_ = 0;
    while (left != 0) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        if (const ProcCount least = LatestStarts::least_width(i); least > width) {
            width = least;
            runs = runs_in(opening, at, width);
            if (runs.longest == 0) break;
            left &= latest_.after(runs.earliest - base, runs.longest);
        }
        if ((left >> i & 1) != 0) {
            if (classes_ == 0) set_bounds(width - 1);
            classes_ |= std::uint64_t{1} << i;
            longest_[i] = runs.longest;
            bounds.up_to_width = std::min(opening.most, LatestStarts::largest_width(i));
        }
        left &= ~first_lanes(i + 1);
    }
    return classes_ != 0;
}

// Finds the first promise of at least this rank that has room.
bool PromisePlan::find_candidate(Opening& opening, Profile::Position at, const RoomBounds& bounds,
                                 PromiseQueue::Position from) {
    Promise failed{kNoJob, 0, std::numeric_limits<ProcCount>::max(), 0, 0};
    PromiseQueue::Position p = from;
    for (; p.block < promises_.n_blocks(); ++p.block, p.index = 0) {
        if (promises_.first_rank(p.block) >= opening.until_rank) return false;
        ++wasted_;
        for (std::uint64_t lanes = promises_.within(p.block, p.index, bounds); lanes != 0;
             lanes &= lanes - 1) {
            const PromiseId id =
                promises_.id({p.block, static_cast<std::uint32_t>(std::countr_zero(lanes))});
            const Promise& promise = promises_.of(id);
            if (promise.rank >= opening.until_rank) return false;
            if (latest_.is_on()) {
                const std::uint32_t i = LatestStarts::width_class(promise.processors);
                if ((classes_ >> i & 1) == 0 || promise.duration > longest_[i]) continue;
            }
            if (promise.processors >= failed.processors && promise.duration >= failed.duration &&
                promise.start <= failed.start)
                continue;
            if (start_in(opening, at, promise) < promise.start) {
                opening.candidate = id;
                return true;
            }
            failed = promise;
        }
    }
    return false;
}

// Returns the start that a promise can gain in an opening if its whole length fits before its start;
// its own start if there is none.
Time PromisePlan::start_in(const Opening& opening, Profile::Position at, const Promise& p) const {
    Time found = p.start;
    const auto visit = [&](const Profile::Run& run) {
        const Time start = grid_.at_or_after(run.from);
        if (std::min(run.to, p.start) - start < p.duration) return false;
        found = start;
        return true;
    };
    profile_.for_each_run(at, opening.to, p.processors, visit);
    return found;
}

// Moves the first promise of the agenda, if possible, and finds what else to try.
void PromisePlan::visit_next() {
    const auto rank = static_cast<std::uint32_t>(agenda_.front() >> 32);
    bool is_reached = false;
    trying_.clear();
    while (!agenda_.empty() && agenda_.front() >> 32 == rank) {
        const auto what = static_cast<std::uint32_t>(agenda_.front());
        std::pop_heap(agenda_.begin(), agenda_.end(), std::greater<>());
        agenda_.pop_back();
        if ((what & kOpening) != 0) {
            trying_.push_back(what & ~kOpening);
        } else {
            is_reached = true;
            is_due_[what] = 0;
        }
    }
    const PromiseQueue::Position position = promises_.find_ranked(rank);
    const PromiseId id = promises_.id(position);
    const Promise p = promises_.of(id);
    const Profile::Position at = profile_.locate(p.start);
    const ProcCount free = profile_.value_before(at);
    Time start = p.start;
    for (const std::uint32_t number : trying_) {
        const Opening& opening = openings_[number];
        start = std::min(start, start_in(opening, profile_.locate(opening.from), p));
    }
    if (free >= p.processors)
        start = std::min(start, grid_.at_or_after(profile_.run_up_to(at, p.processors)));
    PromiseId next = is_reached ? starts_.next(id) : PromisedStarts::kNone;
    ProcCount widest = std::min(free, p.processors - 1);
    if (start < p.start) {
        const bool takes_last = start + static_cast<Time>(p.duration) >= p.start;
        widest = takes_last ? free - p.processors : free;
        move(position, at, start);
    }
    for (; next != PromisedStarts::kNone; next = starts_.next(next))
        if (promises_.of(next).processors <= widest) {
            if (is_due_[next] == 0) push(promises_.of(next).rank, next);
            is_due_[next] = 1;
            break;
        }
    for (const std::uint32_t number : trying_)
        advance_opening(number, {position.block, position.index + 1});
}

void PromisePlan::move(PromiseQueue::Position position, Profile::Position at, Time start) {
    const PromiseId id = promises_.id(position);
    const Promise p = promises_.of(id);
    leave(at, id);
    promises_.set_start(position, start);
    const Profile::Position to = profile_.locate_near(start);
    const bool is_point = profile_.time(to) == start;
    if (is_point) join(to, id);
    profile_.move(start, p.start, p.duration, p.processors);
    if (!is_point) join(profile_.split_at(start), id);
    const Time from = std::max(p.start, start + static_cast<Time>(p.duration));
    const Profile::Position freed_at = profile_.locate_near(from);
    reach_in(freed_at, p.end(), p.rank + 1);
    const Profile::Freed freed = profile_.freed(freed_at, from, p.end(), p.processors);
    open({freed.from, freed.to, freed.below, freed.most, kNoRank}, freed_at, freed.run, &position);
}

} // namespace slotwise
