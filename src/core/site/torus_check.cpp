#include "site/torus_check.hpp"

#include "machine/torus/torus.hpp"
#include "site/backfill.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

[[noreturn]] void refuse_on_torus(const std::string& message) {
    throw std::invalid_argument(message);
}

bool places_jobs(const Policy& policy) {
    return backfill_registry().find(policy.backfill).places_jobs;
}

void check_machine(const Site& site) {
    if (site.torus->processors() != site.processors)
        refuse_on_torus("the torus has " + std::to_string(site.torus->processors()) +
                        " processors and the machine " + std::to_string(site.processors) +
                        "; a torus is the whole machine");
    if (!site.is_plain())
        refuse_on_torus("a torus takes no queues, pools, limits, dependencies or calendar yet: "
                        "leave them out, or give a machine of processors");
}

// A job can only have nodes that are free.
void check_backfill(const Policy& policy) {
    if (!backfill_registry().find(policy.backfill).works_on.torus)
        refuse_on_torus("backfill '" + policy.backfill +
                        "' may start more than the machine holds, and its jobs cannot all have "
                        "nodes; choose another, or give a machine of processors");
    if (policy.ending_now_is_free)
        refuse_on_torus(
            "ending_now='free' starts jobs on nodes whose job has not ended yet; choose "
            "ending_now='busy', or give a machine of processors");
}

void check_contiguous(const Policy& policy) {
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    if (!entry.works_on.intervals)
        refuse_on_torus("backfill '" + policy.backfill +
                        "' does not ask for an interval; a contiguous allocation takes " +
                        backfills_that_work(&WorksOn::intervals));
    if (policy.strict_end)
        refuse_on_torus("a contiguous allocation takes no strict_end; leave it out");
    if (!policy.spare_processors)
        refuse_on_torus("a contiguous allocation takes no spare_processors=False; leave it out");
    if (policy.frozen_reservation)
        refuse_on_torus("a contiguous allocation takes no frozen_reservation; leave it out");
}

// Slots are runs of free nodes, so that a job's nodes follow one another in any case.
void check_own_places(const Policy& policy) {
    if (policy.allocation != Allocation::first && policy.allocation != Allocation::contiguous)
        refuse_on_torus("backfill '" + policy.backfill +
                        "' places jobs in slots of free nodes by itself; leave the allocation out");
}

void check_share(double value, const char* name) {
    if (value >= 0 && value <= 1) return;
    refuse_on_torus(std::string(name) + " of the placement effect is " + std::to_string(value) +
                    "; give a share between 0 and 1");
}

void check_effect(const Site& site) {
    const PlacementEffect& effect = site.placement;
    check_share(effect.alpha, "alpha");
    check_share(effect.beta, "beta");
    if (!(effect.gamma >= 0) || !std::isfinite(effect.gamma))
        refuse_on_torus("gamma of the placement effect is " + std::to_string(effect.gamma) +
                        "; give a slowdown of 0 or more");
    if (effect.alpha > 0 && effect.gamma > 0)
        refuse_on_torus(
            "the placement effect has alpha and gamma, two forms of it; give one of them");
    if (effect.is_none()) return;
    if (site.policy.estimates == Estimates::exact ||
        site.policy.waiting_estimates == Estimates::exact)
        refuse_on_torus(
            "estimates 'exact' are not known before a job has its nodes, as the placement "
            "effect changes run times; choose 'requested' or 'user-history'");
}

} // namespace

Site with_places(Site site) {
    const ProcCount n = site.processors;
    const bool needs_places = places_jobs(site.policy) && !site.has_torus();
    if (needs_places && site.is_plain() && n > 0)
        site.torus = std::make_shared<const Torus>(std::vector<std::int32_t>{n}, "row", 1);
    return site;
}

void check_torus(const Site& site) {
    if (places_jobs(site.policy) && !site.is_plain())
        refuse_on_torus("backfill '" + site.policy.backfill +
                        "' takes no queues, pools, limits, dependencies or calendar yet; leave "
                        "them out, or choose another");
    if (!site.has_torus()) {
        if (site.policy.allocation != Allocation::first)
            refuse_on_torus(
                "an allocation is of a machine whose nodes have places; give a torus, or leave "
                "allocation out");
        if (!site.placement.is_none())
            refuse_on_torus(
                "a placement effect is of a machine whose nodes have places; give a torus, or "
                "leave it out");
        return;
    }
    check_machine(site);
    check_backfill(site.policy);
    if (is_contiguous(site.policy.allocation)) check_contiguous(site.policy);
    if (places_jobs(site.policy)) check_own_places(site.policy);
    check_effect(site);
}

} // namespace slotwise
