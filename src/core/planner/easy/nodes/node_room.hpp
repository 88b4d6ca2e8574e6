// Tests whether units fit on nodes under EASY backfilling, both now and alongside the reservation
// of the head.
//
// Apart from the reservation, the plan contains only running jobs, so the resources that it leaves
// free on a node can only increase over time. A job that ends before the head's start needs room
// only now. Any other job needs room now and, alongside the head's units, at the head's start.
//
// Example with two nodes of 4 cores: A runs on 2 cores of node 0 until 100; the head requests 4
// cores and has node 0 reserved from 100 onwards. Two units of 2 cores for 50 s fit on node 0 or
// node 1. For 200 s, they fit only on node 1.
#pragma once

#include "machine/nodes/present/present_nodes.hpp"
#include "planner/easy/nodes/unit_types.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class NodeRoom {
  public:
    using Kind = std::uint32_t;

    NodeRoom(std::shared_ptr<const JobDemands> demands, std::size_t n_jobs, Time origin);

    // Advances to `now`, and frees the places of jobs that were planned to end by then.
    void advance(Time now);

    // start() lets a job take its places from now until its planned end. finish() gives them back.
    void start(JobId job, std::span<const Place> places, Time planned_end);
    void finish(JobId job, Time planned_end);

    // Returns the places of all jobs that have started.
    const JobPlaces& places() const { return places_; }

    // Reserves room, at its earliest start, for a job that does not fit now. The search for this
    // start is postponed until its result is needed to test another job.
    void reserve(Kind kind);
    void drop_reservation();

    // Returns true if the start of the reservation is later than now.
    bool is_reserved_later() const {
        return reservation_ == Reservation::made ? from_ > now_
                                                 : reservation_ == Reservation::pending;
    }

    // Returns true if a new search would make the same reservation: the jobs that have ended or
    // started since it was made allow no earlier start, and the places would be the same.
    bool stands() const {
        return reservation_ == Reservation::made && from_ > now_ && !is_outdated_;
    }

    // Returns an upper bound on the length of jobs of this kind that may fit now, or 0 if none
    // fits.
    Duration longest(Kind kind);

    // Finds places for a job from now on, alongside the reservation. If there are none, the bound
    // that longest() returns falls below `length`.
    bool place(Kind kind, Duration length, std::vector<Place>& places);

  private:
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max() / 2;
    static constexpr std::uint64_t kMostFreed = 64;

    // Upper bounds on the number of units of a type that fit.
    struct Most {
        std::int64_t now = kUnknown;
        std::int64_t past = kUnknown;  // bound for jobs that end after the reservation starts
        std::uint64_t n_freed = 0;     // number of releases that the bounds take into account
        std::uint64_t reservation = 0; // number of the reservation to which `past` applies
    };
    enum class Reservation : std::uint8_t { none, pending, made };
    struct Freed { // nodes on which something was freed
        Amounts before;
        Amounts after;
        Amounts past; // amounts that the reservation leaves free at its start
        std::int32_t nodes;
    };

    UnitRoom room_of(Kind kind) const { return UnitRoom({most_units_, types_.demand(kind).each}); }
    const Amounts& each_of(JobId job) const { return types_.demands().demand(job).each; }
    void free(std::span<const Place> places, const Amounts& each);
    void make_reservation();
    Most& most_of(Kind kind);
    std::int64_t fill(Kind kind, const PresentNodes& nodes, const PresentNodes* past,
                      std::vector<Place>& places);
    void sort_best(Kind kind, const PresentNodes& nodes, std::vector<Place>& offers) const;
    static void find_rooms(const UnitRoom& room, const PresentNodes& nodes,
                           std::vector<std::int32_t>& of);

    UnitTypes types_;
    std::int32_t most_units_; // the most units, of any type, that a node may hold
    Time now_;
    JobPlaces places_;
    PresentNodes present_;
    // The running jobs, sorted by planned end; all ends are later than now.
    std::vector<std::pair<Time, JobId>> running_;
    Reservation reservation_ = Reservation::none;
    Kind reserved_kind_ = 0;
    Time from_ = kNever; // start of the reservation, if it has been made; otherwise kNever
    PresentNodes past_;  // nodes as the reservation leaves them at its start
    bool is_outdated_ = false;
    std::uint64_t n_reservations_ = 0;
    std::vector<Most> most_;   // indexed by type
    std::vector<Freed> freed_; // the latest releases, in a ring buffer
    std::uint64_t n_freed_ = 0;
    std::vector<std::int32_t> room_now_;  // scratch memory, indexed by group
    std::vector<std::int32_t> room_past_; // scratch memory, indexed by group
    std::vector<Place> held_;             // scratch memory for the places of the head
};

} // namespace slotwise
