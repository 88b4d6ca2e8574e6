// Room for units on nodes under easy backfilling: now, and beside the reservation of the head.
//
// Without the reservation, the plan has only running jobs, so that what is free on a node only
// grows. A job that ends before the head's start needs room now. Any other job needs, on each of
// its nodes, room now, and room at the head's start beside the head's units.
//
// Example: two nodes of 4 cores. A runs on 2 cores of node 0 until 100; the head, 4 cores, is
// reserved node 0 from 100 on. Two units of 2 cores for 50 s fit on node 0 or 1. For 200 s, they
// fit only on node 1.
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

    // Frees what jobs were planned to hold until `now` at the latest.
    void advance(Time now);

    // A job takes its places from now until its planned end, or gives them back.
    void start(JobId job, std::span<const Place> places, Time planned_end);
    void finish(JobId job, Time planned_end);

    // Places of all jobs that have started.
    const JobPlaces& places() const { return places_; }

    // Reserves room for a job that does not fit now, at the earliest start. The start is searched
    // for only once another job may fit.
    void reserve(Kind kind);
    void drop_reservation();

    // True if the start of the reservation lies ahead.
    bool is_reserved_later() const {
        return reservation_ == Reservation::made ? from_ > now_
                                                 : reservation_ == Reservation::pending;
    }

    // True if the reservation would be made again: after what has ended and started since, no
    // earlier start is possible, and the places are the same.
    bool stands() const {
        return reservation_ == Reservation::made && from_ > now_ && !is_outdated_;
    }

    // A bound on the length of jobs of this kind that may fit now; 0 if none fits.
    Duration longest(Kind kind);

    // Finds places for a job from now on, beside the reservation. If there are none, the bound
    // above falls below `length`.
    bool place(Kind kind, Duration length, std::vector<Place>& places);

  private:
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max() / 2;
    static constexpr std::uint64_t kMostFreed = 64;

    // Upper bounds on the units of a type that fit.
    struct Most {
        std::int64_t now = kUnknown;
        std::int64_t past = kUnknown;  // beyond the start of the reservation
        std::uint64_t n_freed = 0;     // events that are taken into account
        std::uint64_t reservation = 0; // number
    };
    enum class Reservation : std::uint8_t { none, pending, made };
    struct Freed { // nodes on which something was freed
        Amounts before;
        Amounts after;
        Amounts past; // at the start of the reservation, beside it
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
    std::int32_t most_units_; // at least the units of any type that fit on one node
    Time now_;
    JobPlaces places_;
    PresentNodes present_;
    std::vector<std::pair<Time, JobId>> running_; // by planned end, all later than now
    Reservation reservation_ = Reservation::none;
    Kind reserved_kind_ = 0;
    Time from_ = kNever; // start of a reservation that is made; otherwise kNever
    PresentNodes past_;  // at the start of the reservation, beside it
    bool is_outdated_ = false;
    std::uint64_t n_reservations_ = 0;
    std::vector<Most> most_;   // by type
    std::vector<Freed> freed_; // the latest, in a ring
    std::uint64_t n_freed_ = 0;
    std::vector<std::int32_t> room_now_;  // scratch, by group
    std::vector<std::int32_t> room_past_; // scratch, by group
    std::vector<Place> held_;             // scratch: places of the head
};

} // namespace slotwise
