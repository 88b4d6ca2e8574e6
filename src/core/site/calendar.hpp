// Changes to a machine at certain times: outages, crashes and reservations for users.
#pragma once

#include "site/crash_times.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace slotwise {

struct CalendarChange {
    // At the same instant, changes are applied in the order in which their kinds are listed here.
    enum class Kind : std::uint8_t {
        outage_end,
        repair_end,
        reservation_end,
        outage_begin,
        reservation_begin,
        crash // followed by a repair_end if the repair time is above 0
    };
    Time time;
    Kind kind;
    std::uint32_t index; // index of the outage or reservation in the site, or of the failing node

    auto operator<=>(const CalendarChange&) const = default;
};

// Recurring windows of time. They begin at start + k·every, for k = 0, 1, 2, …, and last for
// `duration`. If `every` is 0, there is only the window with k = 0.
struct Recurrence {
    Time start = 0;
    Time duration = 0;
    Time every = 0;

    // Returns the start of the first window that ends after `time`, or kNever.
    Time first_ending_after(Time time) const;

    // Returns the start of the first window that begins at or after `time`, or kNever.
    Time first_beginning_from(Time time) const;
};

Recurrence recurrence_of(const Outage& outage);
Recurrence recurrence_of(const UserReservation& reservation);

// The changes in a site's calendar, in order. They are generated one by one as they are popped,
// because there is no last change if an outage recurs or crashes are random. Outages that have
// ended by since() and reservations that have ended by the first submit time are left out. A window
// that is in progress at that time is included, although it begins earlier. A copy of a calendar is
// independent of the original.
class Calendar {
  public:
    Calendar(const Site& site, Time first_submit);

    // Returns the first submit time, or an earlier instant if earlier downtimes matter. They
    // matter if an outage is divided among several pools or node classes when it begins. The shares
    // then depend on what is already down. What is down may in turn depend on an earlier outage of
    // the same kind, and so on, for at most kMostWindowsBack outages.
    Time since() const { return since_; }

    static constexpr int kMostWindowsBack = 1'000'000;

    // Returns the time of the next change, or kNever.
    Time next() const { return changes_.empty() ? kNever : changes_.front().time; }

    // Removes the next change and returns it. Takes O(log n) time for n outages and reservations.
    CalendarChange pop();

  private:
    void push(const CalendarChange& change);
    void expand(const CalendarChange& change);

    Time since_;
    std::vector<Recurrence> outages_;
    std::vector<Recurrence> reservations_;
    std::vector<CrashTimes> crashes_; // crashes of the whole machine, or of each node
    Time repair_;
    // A heap with the next change of each outage, reservation and crash process.
    std::vector<CalendarChange> changes_;
};

// Returns the number of independent failure processes: one per node if nodes fail independently,
// otherwise one.
std::int32_t crash_streams(const Site& site);

// Throws std::invalid_argument, naming the rule, if the calendar or the interruption rules are not
// valid. Examples: a window has length 0 or is longer than its period; a pool is unknown; an outage
// or a reservation is larger than its pool; a reservation lists no owners; crash times are given
// together with a random distribution; the mean or the shape of a distribution is not positive;
// checkpoint rules contradict each other.
void check_calendar(const Site& site);

} // namespace slotwise
