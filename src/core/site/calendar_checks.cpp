// Checks on a calendar and on the rules for interrupted jobs.
#include "guard.hpp"
#include "site/calendar.hpp"

#include <string>

namespace slotwise {

namespace {

template <class Item>
void check_window(const std::string& part, const Item& item, const Site& site) {
    guard(item.duration >= 1 && item.duration <= kMaxTime, part, "duration must be at least 1 s");
    guard(item.start >= -kMaxTime && item.start <= kMaxTime, part,
          "start must lie between -2^53 and 2^53 s");
    guard(item.every >= 0 && item.every <= kMaxTime, part,
          "the value of every must be at least 0 s");
    guard(item.every == 0 || item.duration <= item.every, part,
          "duration must not exceed the value of every");
    const bool whole_machine = item.pool == kAnyPool || (site.pools.empty() && item.pool == 0);
    guard(whole_machine || item.pool < site.pools.size(), part,
          "its pool must be a pool of the site");
    const ProcCount most = whole_machine ? site.processors : site.pools[item.pool].processors;
    guard(item.processors >= 0 && item.processors <= most, part,
          "processors must not exceed those of its pool or the machine");
}

void check_reservation(const UserReservation& reservation, const Site& site) {
    const std::string part = "reservation '" + reservation.name + "'";
    check_window(part, reservation, site);
    const bool names_nodes = !reservation.nodes.named.empty() || reservation.nodes.type >= 0;
    guard(reservation.processors >= 1 || names_nodes, part, "processors must be at least 1");
    guard(reservation.pool != kAnyPool || site.pools.size() <= 1, part, "its pool must be set");
    guard(!reservation.owners.empty(), part,
          "it must list users, groups, accounts or qualities of service");
}

void check_crashes(const Crashes& crashes) {
    guard(crashes.repair >= 0 && crashes.repair <= kMaxTime, "crashes",
          "repair must be at least 0 s");
    if (crashes.law == Crashes::Law::none) return;
    guard(crashes.times.empty(), "crashes", "times and law must not both be set");
    guard(crashes.mean > 0 && crashes.mean <= static_cast<double>(kMaxTime), "crashes",
          "mean must be above 0 s and at most 2^53 s");
    guard(crashes.shape > 0 && crashes.shape <= 1e6, "crashes",
          "shape must be above 0 and at most 10^6");
}

void check_interruption(const Interruption& rule) {
    for (const Time value :
         {rule.checkpoint_every, rule.checkpoint_at, rule.checkpoint_cost, rule.refund})
        guard(value >= 0 && value <= Time{kMaxDuration}, "interruption",
              "a duration must lie between 0 and 2^32 - 2 s");
    const bool checkpoints = rule.checkpoint_every > 0 || rule.checkpoint_at > 0;
    guard(rule.checkpoint_every == 0 || rule.checkpoint_at == 0, "interruption",
          "checkpoint_every and checkpoint_at must not both be set");
    guard(checkpoints == (rule.requeue == Requeue::from_checkpoint), "interruption",
          "requeue 'from-checkpoint' and checkpoints must be used together");
    guard(checkpoints || rule.checkpoint_cost == 0, "interruption",
          "checkpoint_cost must not be set without checkpoints");
}

} // namespace

void check_calendar(const Site& site) {
    for (const Outage& outage : site.outages)
        check_window("outage '" + outage.name + "'", outage, site);
    for (const UserReservation& reservation : site.reservations)
        check_reservation(reservation, site);
    check_crashes(site.crashes);
    check_interruption(site.interruption);
}

} // namespace slotwise
