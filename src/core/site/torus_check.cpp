#include "site/torus_check.hpp"

#include "guard.hpp"
#include "machine/torus/torus.hpp"
#include "site/backfill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

void check_contiguous(const Policy& policy, const BackfillEntry& backfill) {
    guard(backfill.works_on.intervals, "contiguous allocation",
          "the backfill must reserve consecutive nodes");
    guard(!policy.strict_end, "contiguous allocation", "strict_end must be false");
    guard(policy.spare_processors, "contiguous allocation", "spare_processors must be true");
    guard(!policy.frozen_reservation, "contiguous allocation", "frozen_reservation must be false");
}

void check_effect(const Site& site) {
    const PlacementEffect& effect = site.placement;
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    guard(is_share(effect.alpha) && is_share(effect.beta), "placement effect",
          "alpha and beta must lie between 0 and 1");
    guard(effect.gamma >= 0 && std::isfinite(effect.gamma), "placement effect",
          "gamma must be 0 or more");
    guard(effect.alpha == 0 || effect.gamma == 0, "placement effect",
          "alpha and gamma must not both be above 0");
    const bool knows_run_times = site.policy.estimates == Estimates::exact ||
                                 site.policy.waiting_estimates == Estimates::exact;
    guard(effect.is_none() || !knows_run_times, "placement effect",
          "estimates must not be 'exact', because run times depend on the nodes");
}

// Checks the queues and the calendar. All queues share the whole torus, so none may list pools. The
// calendar may refer to nodes only by number, and only under a contiguous allocation.
void check_parts(const Site& site) {
    guard(site.pools.empty(), "torus", "a torus cannot have pools");
    for (const Queue& queue : site.queues) {
        const std::string part = "queue '" + queue.name + "'";
        guard(!queue.spanning && queue.pools.empty(), part,
              "a queue on a torus must not list or span pools");
    }
    const bool contiguous = is_contiguous(site.policy.allocation);
    guard(contiguous || !site.crashes.per_node, "crashes",
          "nodes of a torus can fail individually only under a contiguous allocation");
    const auto check = [&](const NodeChoice& nodes, const std::string& part) {
        guard(nodes.type < 0, part, "a torus has no node types");
        if (nodes.named.empty()) return;
        guard(contiguous, part, "it may list nodes only under a contiguous allocation");
        guard(nodes.named.front() >= 0 && nodes.named.back() < site.torus->nodes() &&
                  std::is_sorted(nodes.named.begin(), nodes.named.end()),
              part, "its nodes must be nodes of the torus");
    };
    for (const Outage& outage : site.outages)
        check(outage.nodes, "outage '" + outage.name + "'");
    for (const UserReservation& reservation : site.reservations)
        check(reservation.nodes, "reservation '" + reservation.name + "'");
}

void check_on_torus(const Site& site, const BackfillEntry& backfill) {
    const Policy& policy = site.policy;
    guard(site.torus->processors() == site.processors, "torus",
          "it must have as many processors as the machine");
    check_parts(site);
    guard(backfill.works_on.torus, "torus", "the backfill must start only jobs that fit");
    guard(!policy.ending_now_is_free, "torus", "ending_now must be 'busy'");
    if (is_contiguous(policy.allocation)) check_contiguous(policy, backfill);
    // A backfill rule that places jobs itself gives every job consecutive nodes.
    guard(!backfill.places_jobs || policy.allocation == Allocation::first ||
              policy.allocation == Allocation::contiguous,
          "torus", "a backfill that chooses nodes itself does not support this allocation");
    check_effect(site);
}

} // namespace

Site with_places(Site site) {
    const ProcCount n = site.processors;
    const bool places_jobs = backfill_registry().find(site.policy.backfill).places_jobs;
    if (places_jobs && !site.has_torus() && site.is_plain() && n > 0)
        site.torus = std::make_shared<const Torus>(std::vector<std::int32_t>{n}, "row", 1);
    return site;
}

void check_torus(const Site& site) {
    const BackfillEntry& backfill = backfill_registry().find(site.policy.backfill);
    guard(!backfill.places_jobs || site.is_plain(), "a backfill that chooses nodes itself does not "
                                                    "support pools, queues, limits or a calendar");
    if (site.has_torus()) {
        check_on_torus(site, backfill);
        return;
    }
    guard(site.policy.allocation == Allocation::first,
          "an allocation other than 'first' needs a torus");
    guard(site.placement.is_none(), "a placement effect needs a torus");
}

} // namespace slotwise
