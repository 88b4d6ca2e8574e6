// Changes to the machine at given times: outages, crashes and user reservations.
#pragma once

#include "site/crash_times.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace slotwise {

struct CalendarChange {
    // The order of the kinds is the order in which the changes at one instant are applied.
    enum class Kind : std::uint8_t {
        outage_end,
        repair_end,
        reservation_end,
        outage_begin,
        reservation_begin,
        crash // begins a repair, if the site has repairs
    };
    Time time;
    Kind kind;
    std::uint32_t index; // index of the outage or reservation in the site, or of the failing node

    auto operator<=>(const CalendarChange&) const = default;
};

// The windows [start + k·every, … + duration), k = 0, 1, 2, …; only k = 0 if `every` is 0.
struct Recurrence {
    Time start = 0;
    Time duration = 0;
    Time every = 0;

    // The start of the first window that ends after `time`, or kNever.
    Time first_ending_after(Time time) const;

    // The start of the first window that begins at or after `time`, or kNever.
    Time first_beginning_from(Time time) const;
};

Recurrence recurrence_of(const Outage& outage);
Recurrence recurrence_of(const UserReservation& reservation);

// The changes of a site's calendar in order, expanded as they are popped. The sequence is endless
// if an outage recurs or crashes are random. Windows that have ended by since() are left out; a
// window in progress at since() begins before it. A copy is independent.
class Calendar {
  public:
    Calendar(const Site& site, Time first_submit);

    // The first submit time, or an earlier instant if earlier downtimes matter. If an outage is
    // divided among several pools, or classes of nodes, when it begins, the shares depend on what
    // is down at that time. That may depend on another such outage, and so on, over at most
    // kMostWindowsBack outages.
    Time since() const { return since_; }

    static constexpr int kMostWindowsBack = 1'000'000;

    // The time of the next change, or kNever.
    Time next() const { return changes_.empty() ? kNever : changes_.front().time; }

    // Removes the next change. O(log n) for n outages and reservations.
    CalendarChange pop();

  private:
    void push(const CalendarChange& change);
    void expand(const CalendarChange& change);

    Time since_;
    std::vector<Recurrence> outages_;
    std::vector<Recurrence> reservations_;
    std::vector<CrashTimes> crashes_; // one for the machine, or one per node
    Time repair_;
    std::vector<CalendarChange> changes_; // a heap: one per open or next window, one per crash
};

// Number of independent failure processes: one per node if nodes fail on their own, otherwise one.
std::int32_t crash_streams(const Site& site);

// Throws std::invalid_argument, naming the rule, for a window of length 0 or longer than its
// period, an outage or reservation larger than its pool, an unknown pool, given crash times
// together with a random law, a law whose mean or shape is not positive, and contradictory
// checkpoint rules.
void check_calendar(const Site& site);

} // namespace slotwise
