// Compression for many promises. It finds the promises that may move, instead of comparing every
// promise with what has become free.
//
// Example: 4 processors become free from 60 until 100. A promise of at most 4 processors that
// starts at 100 may now begin earlier (reach). A promise of at most 4 processors and at most 40 s
// that starts later than 100 may fit into the span (room). In each of these two cases, the first
// such promise in policy order is marked. Visiting a marked promise marks the next one that may
// move for the same reason. If the visited promise moves, the span that it leaves marks further
// promises in the same way.
#pragma once

#include "availability/profile.hpp"
#include "planner/reservation/latest_starts.hpp"
#include "planner/reservation/promised_starts.hpp"
#include "queue/promise_queue.hpp"
#include "types.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace slotwise {

class ManyPromises {
  public:
    // Requires that all promises are already in the profile. The first compression tries all of
    // them.
    ManyPromises(PromiseProfile profile, PromiseQueue& promises, const StartGrid& grid);

    PromiseProfile& profile() { return profile_; }
    const PromiseProfile& profile() const { return profile_; }

    // list() records a promise that is in the profile; unlist() removes the record.
    void list(PromiseId id, PromiseQueue& promises);
    void unlist(PromiseId id, PromiseQueue& promises);
    // Records all promises again after their order has changed.
    void relist(PromiseQueue& promises);

    // Records that `processors` processors have become free from `from` until `to`.
    void note_freed(Time from, Time to, ProcCount processors) {
        if (to > from) freed_.push_back({from, to, processors});
    }

    // Moves each promise, in policy order, to its earliest possible start.
    void compress(PromiseQueue& promises);

  private:
    struct FreedSpan {
        Time from;
        Time to;
        ProcCount processors;
    };
    // A span in which more processors have become free, and the next promise to try in it.
    struct FreedRange {
        Time from;
        Time to;
        ProcCount below;                  // promises to try have more processors than this,
        ProcCount most;                   // and at most this many
        std::uint32_t until_rank;         // promises from this rank on are not tried
        PromiseId candidate = kNoPromise; // the next promise that may fit
        std::uint64_t classes = ~std::uint64_t{0}; // width classes that may fit
    };
    static constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();
    struct Runs {
        Time longest;
        Time earliest; // start of the earliest run
    };

    void join(PromiseProfile::Position at, PromiseId id);
    void leave(PromiseProfile::Position at, PromiseId id);

    void open_pending();
    void open_all_freed();
    void open_freed(Time from, Time to, ProcCount processors);
    void reach(PromiseProfile::Position at, const PlannedStarts& starts, ProcCount free,
               std::uint32_t from_rank);
    void reach_in(PromiseProfile::Position at, Time to, std::uint32_t from_rank);
    void open(FreedRange range, PromiseProfile::Position at, const PromiseProfile::Run& run,
              PromiseQueue::Position from);
    bool advance(FreedRange& range, PromiseQueue::Position from);
    bool set_bounds(FreedRange& range, PromiseProfile::Position at, Runs runs, RoomBounds& bounds);
    bool find_candidate(FreedRange& range, PromiseProfile::Position at, const RoomBounds& bounds,
                        PromiseQueue::Position from);
    Time start_in(const FreedRange& range, PromiseProfile::Position at, const Promise& p) const;
    Runs runs_in(const FreedRange& range, PromiseProfile::Position at, ProcCount processors) const;
    void visit_marked(std::size_t block);
    void visit(PromiseQueue::Position position, bool may_have_room);
    Time earlier_start(PromiseId id) const;
    void advance_ranges(PromiseId candidate, PromiseQueue::Position from);
    void move(PromiseQueue::Position promise, PromiseProfile::Position at, Time start);

    StartGrid grid_;
    PromiseProfile profile_; // running jobs, promises and announced windows
    PromisedStarts starts_;
    LatestStarts latest_;
    std::size_t wasted_ = 0; // blocks searched without success since latest_.refresh()
    bool tries_all_ = true;  // the next compression tries all promises

    // Spans released since the last compression, and the times and ranges that a sweep must leave
    // to the next one:
    std::vector<FreedSpan> freed_;
    std::vector<Time> reached_;
    std::vector<FreedRange> left_;

    // The following members are used only during a compression:
    PromiseQueue* promises_ = nullptr;
    std::vector<FreedRange> ranges_; // the ranges that have a candidate
    std::vector<Time> was_reached_;
    std::vector<FreedRange> was_left_;
    std::array<Time, LatestStarts::kClasses> longest_; // longest run for each width class
};

} // namespace slotwise
