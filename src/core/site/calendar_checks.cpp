#include "site/calendar.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& rule) {
    throw std::invalid_argument(what + "; " + rule);
}

std::string seconds(Time time) {
    return std::to_string(time) + " s";
}

template <class Item>
void check_window(const std::string& what, const Item& item, const Site& site) {
    const std::string whose = what + (item.name.empty() ? "" : " '" + item.name + "'");
    if (item.duration < 1 || item.duration > kMaxTime)
        refuse(whose + " lasts " + seconds(item.duration), "it must last at least 1 s");
    if (item.start < -kMaxTime || item.start > kMaxTime)
        refuse(whose + " starts at " + seconds(item.start), "it must lie within 2^53 s of 0");
    if (item.every < 0 || item.every > kMaxTime)
        refuse(whose + " recurs every " + seconds(item.every), "give its period, or 0 for once");
    if (item.every > 0 && item.duration > item.every)
        refuse(whose + " lasts " + seconds(item.duration) + ", longer than its period of " +
                   seconds(item.every),
               "shorten it or let it recur less often");
    const bool whole_machine = item.pool == kAnyPool || (site.pools.empty() && item.pool == 0);
    if (!whole_machine && item.pool >= site.pools.size())
        refuse(whose + " names pool " + std::to_string(item.pool),
               "the site has " + std::to_string(site.pools.size()) + " pools, counted from 0");
    const ProcCount most = whole_machine ? site.processors : site.pools[item.pool].processors;
    if (item.processors < 0 || item.processors > most)
        refuse(whose + " takes " + std::to_string(item.processors) + " processors",
               (whole_machine ? "the machine" : "pool '" + site.pools[item.pool].name + "'") +
                   " has " + std::to_string(most) + ": give at most that, or 0 for all");
}

void check_reservation(const UserReservation& reservation, const Site& site) {
    check_window("reservation", reservation, site);
    const std::string whose = "reservation '" + reservation.name + "'";
    if (reservation.processors == 0)
        refuse(whose + " is of 0 processors", "give how many it keeps");
    if (reservation.pool == kAnyPool && site.pools.size() > 1)
        refuse(whose + " names no pool", "say in which of the site's pools it lies");
    if (reservation.users.empty() && reservation.groups.empty())
        refuse(whose + " is for nobody", "give the users or groups whose jobs may run in it");
}

void check_crashes(const Crashes& crashes) {
    if (crashes.repair < 0 || crashes.repair > kMaxTime)
        refuse("a repair of " + seconds(crashes.repair), "it must last 0 s or more");
    if (crashes.law == Crashes::Law::none) return;
    if (!crashes.times.empty())
        refuse("crashes both at given times and drawn", "give times or a law, not both");
    if (!(crashes.mean > 0) || !(crashes.mean <= static_cast<double>(kMaxTime)))
        refuse("crashes every " + std::to_string(crashes.mean) + " s in the mean",
               "the mean must be above 0 s and at most 2^53 s");
    if (!(crashes.shape > 0) || !(crashes.shape <= 1e6))
        refuse("crashes of shape " + std::to_string(crashes.shape),
               "the shape must be above 0 and at most 10^6; 1 is the exponential");
}

void check_interruption(const Interruption& rule) {
    const auto check_length = [](const char* name, Time value) {
        if (value < 0 || value > Time{kMaxDuration})
            refuse(std::string(name) + " " + seconds(value), "it must lie between 0 and 2^32 - 2");
    };
    check_length("checkpoint_every", rule.checkpoint_every);
    check_length("checkpoint_at", rule.checkpoint_at);
    check_length("checkpoint_cost", rule.checkpoint_cost);
    check_length("refund", rule.refund);
    const bool checkpoints = rule.checkpoint_every > 0 || rule.checkpoint_at > 0;
    if (rule.checkpoint_every > 0 && rule.checkpoint_at > 0)
        refuse("both checkpoint_every and checkpoint_at", "give one of the two");
    if (checkpoints && rule.requeue != Requeue::from_checkpoint)
        refuse("checkpoints that no job restarts from", "set requeue to from-checkpoint");
    if (!checkpoints && rule.requeue == Requeue::from_checkpoint)
        refuse("requeue from-checkpoint without checkpoints",
               "give checkpoint_every or checkpoint_at");
    if (!checkpoints && rule.checkpoint_cost > 0)
        refuse("checkpoint_cost " + seconds(rule.checkpoint_cost) + " without checkpoints",
               "give checkpoint_every or checkpoint_at");
}

} // namespace

void check_calendar(const Site& site) {
    for (const Outage& outage : site.outages)
        check_window("outage", outage, site);
    for (const UserReservation& reservation : site.reservations)
        check_reservation(reservation, site);
    check_crashes(site.crashes);
    check_interruption(site.interruption);
}

} // namespace slotwise
