// Compression of many promises: finds those that may move, instead of comparing all of them.
//
// Example: 4 processors become free on [60, 100). A promise of up to 4 processors that starts at
// 100 may now begin earlier (reach). One that starts later, of up to 4 processors and up to 40 s,
// may have room in the span (room). The first promise of each kind, in policy order, is marked. A
// visit of a marked promise marks the next one of its kind. If it moves, the span that it leaves
// marks others in the same way.
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
    // The promises are in the profile. All of them are tried by the next compression.
    ManyPromises(PromiseProfile profile, PromiseQueue& promises, const StartGrid& grid);

    PromiseProfile& profile() { return profile_; }
    const PromiseProfile& profile() const { return profile_; }

    // Records a promise that is in the profile, or leaves it out.
    void list(PromiseId id, PromiseQueue& promises);
    void unlist(PromiseId id, PromiseQueue& promises);
    // Lists all promises anew, after a change of their order.
    void relist(PromiseQueue& promises);

    // Processors were released on [from, to).
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
    // A span in which some widths have become free, and the promise that is to be tried in it.
    struct Opening {
        Time from;
        Time to;
        ProcCount below;                           // widths > below,
        ProcCount most;                            // widths <= most
        std::uint32_t until_rank;                  // tried for promises of lower ranks only
        PromiseId candidate = kNoPromise;          // the next promise that may have room
        std::uint64_t classes = ~std::uint64_t{0}; // classes of widths that may have room
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
    void open(Opening opening, PromiseProfile::Position at, const PromiseProfile::Run& run,
              PromiseQueue::Position from);
    bool advance(Opening& opening, PromiseQueue::Position from);
    bool set_bounds(Opening& opening, PromiseProfile::Position at, Runs runs, RoomBounds& bounds);
    bool find_candidate(Opening& opening, PromiseProfile::Position at, const RoomBounds& bounds,
                        PromiseQueue::Position from);
    Time start_in(const Opening& opening, PromiseProfile::Position at, const Promise& p) const;
    Runs runs_in(const Opening& opening, PromiseProfile::Position at, ProcCount processors) const;
    void visit_marked(std::size_t block);
    void visit(PromiseQueue::Position position, bool may_have_room);
    Time earlier_start(PromiseId id) const;
    void advance_openings(PromiseId candidate, PromiseQueue::Position from);
    void move(PromiseQueue::Position promise, PromiseProfile::Position at, Time start);

    StartGrid grid_;
    PromiseProfile profile_; // as in FewPromises
    PromisedStarts starts_;
    LatestStarts latest_;
    std::size_t wasted_ = 0; // blocks searched without result since latest_ was refreshed
    bool tries_all_ = true;  // the next compression tries all promises

    // Freed since the last compression, and what a sweep left for the next.
    std::vector<FreedSpan> freed_;
    std::vector<Time> reached_;
    std::vector<Opening> left_;

    // During a compression:
    PromiseQueue* promises_ = nullptr;
    std::vector<Opening> openings_; // those with a candidate
    std::vector<Time> was_reached_;
    std::vector<Opening> was_left_;
    std::array<Time, LatestStarts::kClasses> longest_; // by class of width: longest run
};

} // namespace slotwise
