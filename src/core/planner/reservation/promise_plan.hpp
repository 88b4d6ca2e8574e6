// The plan of conservative backfilling: running jobs, promises, and their compression.
#pragma once

#include "availability/profile.hpp"
#include "queue/latest_starts.hpp"
#include "queue/promise_queue.hpp"
#include "queue/promised_starts.hpp"
#include "types.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

class PromisePlan {
  public:
    PromisePlan(ProcCount processors, Time origin, const StartGrid& grid)
        : grid_(grid), profile_(processors, origin), promises_(origin) {}

    Profile& profile() { return profile_; }
    const PromiseQueue& promises() const { return promises_; }

    void advance(Time now) { profile_.advance(now); }

    // Processors are no longer taken on [from, to).
    void release(Time from, Time to, ProcCount processors) {
        if (to <= from) return;
        profile_.add(from, to, processors);
        freed_.push_back({from, to, processors});
    }

    // Adds a promise whose processors are free.
    void promise(const Promise& promise);
    // Removes promises whose jobs start now. Returns what PromiseQueue::remove() does.
    bool start(std::size_t block, std::uint64_t lanes);
    // Removes promises whose jobs do not start.
    void withdraw(std::size_t block, std::uint64_t lanes);

    // Takes the processors of a promise out of the plan, or puts them back.
    void lift(PromiseId id);
    void put_back(PromiseId id);
    // Gives another start to a lifted promise.
    void place(PromiseId id, Time start);

    void reorder(const std::vector<JobId>& jobs);

    // Moves each promise, in policy order, to its earliest possible start.
    void compress();

  private:
    struct FreedSpan {
        Time from;
        Time to;
        ProcCount processors;
    };
    // A span in which some widths have become free.
    struct Opening {
        Time from;
        Time to;
        ProcCount below;          // widths > below,
        ProcCount most;           // widths <= most
        std::uint32_t until_rank; // tried for promises of lower ranks only
        PromiseId candidate = kNoPromise; // the next promise that may have room
        std::uint64_t classes = 0;        // classes of widths that may have room
    };
    static constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();
    struct Runs {
        Time longest;
        Time earliest; // start of the earliest run
    };

    void join(Profile::Position at, PromiseId id);
    void leave(Profile::Position at, PromiseId id);
    void unlist(PromiseId id);

    void open_pending();
    void open_freed(Time from, Time to, ProcCount processors);
    void reach(Profile::Position at, const Profile::Starts& starts, ProcCount free,
               std::uint32_t from_rank);
    void reach_in(Profile::Position at, Time to, std::uint32_t from_rank);
    void open(Opening opening, Profile::Position at, const Profile::Run& run,
              PromiseQueue::Position from);
    void mark_all(const RoomBounds& bounds);
    bool advance(Opening& opening, PromiseQueue::Position from);
    bool set_bounds(Opening& opening, Profile::Position at, Runs runs, RoomBounds& bounds);
    bool find_candidate(Opening& opening, Profile::Position at, const RoomBounds& bounds,
                        PromiseQueue::Position from);
    Time start_in(const Opening& opening, Profile::Position at, const Promise& p) const;
    Runs runs_in(const Opening& opening, Profile::Position at, ProcCount processors) const;
    void visit(PromiseQueue::Position position, bool may_have_room);
    Time earlier_start(PromiseId id) const;
    void move(PromiseQueue::Position promise, Profile::Position at, Time start);

    StartGrid grid_;
    Profile profile_;
    PromiseQueue promises_;
    PromisedStarts starts_;
    LatestStarts latest_;
    bool tries_all_ = true;  // promises marked for room are tried everywhere, not in openings
    std::size_t wasted_ = 0; // blocks searched without result since latest_ was refreshed

    // Freed since the last compression, and what a sweep left for the next.
    std::vector<FreedSpan> freed_;
    std::vector<Time> reached_;
    std::vector<Opening> left_;

    // During a compression:
    std::vector<Opening> openings_; // those with a candidate
    std::vector<Time> was_reached_;
    std::vector<Opening> was_left_;
    std::array<Time, LatestStarts::kClasses> longest_; // by class of width: longest run
};

} // namespace slotwise
