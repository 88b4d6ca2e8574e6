// Part of ManyPromises: compression.
#include "planner/reservation/many_promises.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace slotwise {

// A promise can move only if processors have become free for it since it was last tried: either
// just before its start (reach), or for its whole duration at an earlier time (room). This is
// proved in FewPromises::compress(). Processors become free only where they are released, or where
// another promise moves away. A sweep tries each promise at most once, in policy order. If
// something becomes free for a promise that the sweep has already passed, this is recorded for the
// next sweep (in reached_ and left_).
//
// If several promises start at the same time, only the first one that may move is marked as
// reached. Visiting this promise marks the next one. If the visited promise cannot move, promises
// with the same start and at least as many processors are skipped, because they cannot move either.
void ManyPromises::compress(PromiseQueue& promises) {
    promises_ = &promises;
    profile_.tighten();
    if (wasted_ > 16 * promises.n_blocks()) {
        latest_.refresh(promises);
        wasted_ = 0;
    }
    ranges_.clear();
    open_pending();
    for (std::size_t block = 0; block < promises.n_blocks(); ++block) {
        if (tries_all_) promises.marks(block).room = promises.all(block);
        visit_marked(block);
    }
    tries_all_ = false;
}

void ManyPromises::visit_marked(std::size_t block) {
    PromiseQueue::Marks& marks = promises_->marks(block);
    while ((marks.reached | marks.room) != 0) {
        const std::uint64_t due = marks.reached | marks.room;
        const std::uint64_t bit = due & (~due + 1);
        const bool may_have_room = (marks.room & bit) != 0;
        marks.reached &= ~bit;
        marks.room &= ~bit;
        visit({block, static_cast<std::uint32_t>(std::countr_zero(bit))}, may_have_room);
    }
}

void ManyPromises::open_pending() {
    was_reached_.clear();
    was_reached_.swap(reached_);
    for (const Time t : was_reached_) {
        if (t <= profile_.origin()) continue;
        const PromiseProfile::Position at = profile_.locate(t);
        if (profile_.time(at) == t) reach(at, profile_.starts(at), profile_.value_before(at), 0);
    }
    was_left_.clear();
    was_left_.swap(left_);
    for (FreedRange& range : was_left_) {
        if (range.to <= profile_.origin()) continue;
        range.from = std::max(range.from, profile_.origin());
        if (advance(range, {0, 0})) ranges_.push_back(range);
    }
    open_all_freed();
}

// Creates ranges for the spans that were released since the last compression. Where spans
// overlap, their processors are added up.
void ManyPromises::open_all_freed() {
    if (freed_.empty()) return;
    std::vector<std::pair<Time, ProcCount>> steps;
    for (const FreedSpan& span : freed_) {
        steps.emplace_back(span.from, span.processors);
        steps.emplace_back(span.to, -span.processors);
    }
    freed_.clear();
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

// Creates the ranges in which promises may now fit, because `processors` more processors are free
// from `from` until `to`.
void ManyPromises::open_freed(Time from, Time to, ProcCount processors) {
    from = std::max(from, profile_.origin());
    if (from >= to) return;
    const PromiseProfile::Position first = profile_.locate(from);
    reach_in(first, to, 0);
    FreedRange range{from, from, 0, 0, kNoRank};
    PromiseProfile::Position begins = first;
    PromiseProfile::Run run{from, from};
    const auto visit = [&](PromiseProfile::Position at, Time begin, Time end, ProcCount value) {
        const ProcCount below = std::max(value - processors, 0);
        if (begin < run.to && below >= range.below) {
            range.most = std::max(range.most, value);
            range.to = end;
            return;
        }
        if (run.to > run.from) open(range, begins, run, {0, 0});
        run = {begin, begin};
        if (value <= 0) return;
        range = {begin, end, below, value, kNoRank};
        begins = at;
        run = profile_.run_around(at, below + 1);
    };
    profile_.for_each_idle_span(first, from, to, visit);
    if (run.to > run.from) open(range, begins, run, {0, 0});
}

// Marks the first promise that starts at this point and has enough free processors just before it.
// Promises with ranks below `from_rank` must wait for the next sweep.
void ManyPromises::reach(PromiseProfile::Position at, const PlannedStarts& starts, ProcCount free,
                         std::uint32_t from_rank) {
    if (starts.narrowest > free) return;
    bool is_left = false;
    const bool is_any = promises_->of(PromisedStarts::last(starts, *promises_)).rank >= from_rank;
    for (PromiseId id = starts.first; id != kNoPromise; id = promises_->links(id).next) {
        const Promise& p = promises_->of(id);
        if (p.processors > free) continue;
        if (p.rank >= from_rank) {
            promises_->mark_reached(id);
            break;
        }
        is_left = true;
        if (!is_any) break;
    }
    if (is_left) reached_.push_back(profile_.time(at));
}

void ManyPromises::reach_in(PromiseProfile::Position at, Time to, std::uint32_t from_rank) {
    profile_.for_each_reached(at, to + grid_.period - 1,
                              [&](PromiseProfile::Position point, const PlannedStarts& starts,
                                  ProcCount free) { reach(point, starts, free, from_rank); });
}

// Marks the first promise, at or after position `from`, that may fit into the range. Earlier
// promises must wait for the next sweep.
void ManyPromises::open(FreedRange range, PromiseProfile::Position at,
                        const PromiseProfile::Run& run, PromiseQueue::Position from) {
    RoomBounds bounds;
    if (!set_bounds(range, at, {run.to - run.from, run.from}, bounds)) return;
    if (from.block > 0 || from.index > 0) {
        left_.push_back(range);
        left_.back().until_rank = promises_->get({from.block, from.index - 1}).rank + 1;
    }
    if (!find_candidate(range, at, bounds, from)) return;
    promises_->mark_room(range.candidate);
    ranges_.push_back(range);
}

// Finds the next candidate for the range, and returns false if there is none.
bool ManyPromises::advance(FreedRange& range, PromiseQueue::Position from) {
    const PromiseProfile::Position at = profile_.locate(range.from);
    RoomBounds bounds;
    if (!set_bounds(range, at, runs_in(range, at, range.below + 1), bounds)) return false;
    if (!find_candidate(range, at, bounds, from)) return false;
    promises_->mark_room(range.candidate);
    return true;
}

ManyPromises::Runs ManyPromises::runs_in(const FreedRange& range, PromiseProfile::Position at,
                                         ProcCount processors) const {
    Runs runs{0, kNever};
    profile_.for_each_run(at, range.to, processors, [&](const PromiseProfile::Run& run) {
        runs.earliest = std::min(runs.earliest, run.from);
        runs.longest = std::max(runs.longest, run.to - run.from);
        return false;
    });
    return runs;
}

// Narrows `range` to the widths of promises that may fit, and sets `bounds` for these promises.
// Returns false if no promise can fit. `runs` describes the periods with more than range.below free
// processors.
bool ManyPromises::set_bounds(FreedRange& range, PromiseProfile::Position at, Runs runs,
                              RoomBounds& bounds) {
    if (runs.longest <= 0) return false;
    const Time base = promises_->base();
    std::uint64_t left = range.classes & LatestStarts::classes(range.below + 1, range.most) &
                         latest_.after(runs.earliest - base, runs.longest);
    range.classes = 0;
    Runs its_runs = runs;
    ProcCount width = range.below + 1;
    while (left != 0) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        if (const ProcCount least = LatestStarts::least_width(i); least > width) {
            width = least;
            its_runs = runs_in(range, at, width);
            if (its_runs.longest == 0) break;
            left &= latest_.after(its_runs.earliest - base, its_runs.longest);
        }
        if ((left >> i & 1) != 0) {
            if (range.classes == 0) {
                range.below = width - 1;
                runs = its_runs;
            }
            range.classes |= std::uint64_t{1} << i;
            longest_[i] = its_runs.longest;
        }
        left &= ~first_lanes(i + 1);
    }
    if (range.classes == 0) return false;
    const auto widest = static_cast<std::uint32_t>(63 - std::countl_zero(range.classes));
    range.most = std::min(range.most, LatestStarts::largest_width(widest));
    bounds = {range.below, range.most, coarse_time(runs.longest),
              coarse_time(runs.earliest - base)};
    return true;
}

// Finds the first promise, from position `from` onwards, that fits into the range. Returns false
// if there is none.
bool ManyPromises::find_candidate(FreedRange& range, PromiseProfile::Position at,
                                  const RoomBounds& bounds, PromiseQueue::Position from) {
    Promise failed{kNoJob, 0, std::numeric_limits<ProcCount>::max(), 0, 0};
    PromiseQueue::Position p = from;
    for (; p.block < promises_->n_blocks(); ++p.block, p.index = 0) {
        if (promises_->first_rank(p.block) >= range.until_rank) return false;
        ++wasted_;
        for (std::uint64_t lanes = promises_->within(p.block, p.index, bounds); lanes != 0;
             lanes &= lanes - 1) {
            const PromiseId id =
                promises_->id({p.block, static_cast<std::uint32_t>(std::countr_zero(lanes))});
            const Promise& promise = promises_->of(id);
            if (promise.rank >= range.until_rank) return false;
            const std::uint32_t i = LatestStarts::width_class(promise.processors);
            if ((range.classes >> i & 1) == 0) continue;
            if (promise.duration > longest_[i]) continue;
            if (promise.processors >= failed.processors && promise.duration >= failed.duration &&
                promise.start <= failed.start)
                continue;
            if (start_in(range, at, promise) < promise.start) {
                range.candidate = id;
                return true;
            }
            failed = promise;
        }
    }
    return false;
}

// Returns the earliest start in the range at which the job would fit and end by its promised start.
// If there is none, returns the promised start.
Time ManyPromises::start_in(const FreedRange& range, PromiseProfile::Position at,
                            const Promise& p) const {
    Time found = p.start;
    const auto visit = [&](const PromiseProfile::Run& run) {
        const Time start = grid_.at_or_after(run.from);
        if (std::min(run.to, p.start) - start < p.duration) return false;
        found = start;
        return true;
    };
    profile_.for_each_run(at, range.to, p.processors, visit);
    return found;
}

// Returns the earliest start in the freed ranges for which this promise was marked. If the promise
// fits into none of them, returns the promised start.
Time ManyPromises::earlier_start(PromiseId id) const {
    const Promise& p = promises_->of(id);
    if (tries_all_) return start_in({profile_.origin(), p.start, 0, 0, kNoRank}, {0, 0}, p);
    Time start = p.start;
    for (const FreedRange& range : ranges_)
        if (range.candidate == id)
            start = std::min(start, start_in(range, profile_.locate(range.from), p));
    return start;
}

// Moves a promise to an earlier start, if possible, and marks the promises to be tried next.
void ManyPromises::visit(PromiseQueue::Position position, bool may_have_room) {
    const PromiseId id = promises_->id(position);
    const Promise p = promises_->of(id);
    if (p.start <= profile_.origin()) return;
    const PromiseProfile::Position at = profile_.locate(p.start);
    const ProcCount free = profile_.value_before(at);
    Time start = may_have_room ? earlier_start(id) : p.start;
    if (free >= p.processors)
        start = std::min(start, grid_.at_or_after(profile_.run_up_to(at, p.processors)));
    PromiseId next = promises_->links(id).next;
    ProcCount widest = std::min(free, p.processors - 1);
    if (start < p.start) {
        const bool takes_last = start + static_cast<Time>(p.duration) >= p.start;
        widest = takes_last ? free - p.processors : free;
        move(position, at, start);
    }
    while (next != kNoPromise && promises_->of(next).processors > widest)
        next = promises_->links(next).next;
    if (next != kNoPromise) promises_->mark_reached(next);
    if (may_have_room) advance_ranges(id, {position.block, position.index + 1});
}

// Finds the next candidate for each range whose candidate has just been tried.
void ManyPromises::advance_ranges(PromiseId candidate, PromiseQueue::Position from) {
    for (std::size_t i = 0; i < ranges_.size();) {
        if (ranges_[i].candidate == candidate && !advance(ranges_[i], from)) {
            ranges_[i] = ranges_.back();
            ranges_.pop_back();
        } else {
            ++i;
        }
    }
}

void ManyPromises::move(PromiseQueue::Position position, PromiseProfile::Position at, Time start) {
    const PromiseId id = promises_->id(position);
    const Promise p = promises_->of(id);
    leave(at, id);
    promises_->set_start(position, start);
    const PromiseProfile::Position to = profile_.locate_near(start);
    const bool is_point = profile_.time(to) == start;
    if (is_point) join(to, id);
    profile_.move(start, p.start, p.duration, p.processors);
    if (!is_point) join(profile_.split_at(start), id);
    const Time from = std::max(p.start, start + static_cast<Time>(p.duration));
    const PromiseProfile::Position freed_at = profile_.locate_near(from);
    reach_in(freed_at, p.end(), p.rank + 1);
    const PromiseProfile::Freed freed = profile_.freed(freed_at, from, p.end(), p.processors);
    open({freed.from, freed.to, freed.below, freed.most, kNoRank}, freed_at, freed.run,
         {position.block, position.index + 1});
}

} // namespace slotwise
