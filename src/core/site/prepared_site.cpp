#include "site/prepared_site.hpp"

#include "guard.hpp"
#include "site/partitions.hpp"
#include "site/policy_check.hpp"
#include "site/site_check.hpp"
#include "site/torus_check.hpp"

#include <utility>

namespace slotwise {

Site completed(Site site) {
    if (site.has_nodes()) return with_partitions(std::move(site));
    if (site.pools.empty()) {
        Pool machine;
        machine.name = "machine";
        machine.processors = site.processors;
        site.pools.push_back(machine);
    }
    if (site.queues.empty()) site.queues.emplace_back();
    for (Queue& queue : site.queues) {
        if (!queue.pools.empty()) continue;
        for (std::size_t p = 0; p < site.pools.size(); ++p)
            queue.pools.push_back(static_cast<PoolId>(p));
    }
    return site;
}

PreparedSite::PreparedSite(Site site) : site_(with_places(std::move(site))) {
    check_replayable(site_);
    if (!site_.is_plain()) site_ = completed(std::move(site_));
}

PreparedSite::PreparedSite(Site site, Unchecked) : site_(std::move(site)) {}

PreparedSite PreparedSite::of_pool(ProcCount processors, const Policy& policy) {
    Site site;
    site.processors = processors;
    site.policy = policy;
    return {std::move(site), Unchecked{}};
}

void PreparedSite::change_policy(const Policy& policy) {
    Site changed = site_;
    changed.policy = policy;
    guard(!site_.has_nodes() || policy.reserve == site_.policy.reserve, "policy",
          "reserve must not change after the replay has begun");
    guard(!site_.has_torus() ||
              is_contiguous(policy.allocation) == is_contiguous(site_.policy.allocation),
          "policy", "allocation must not change to or from contiguous after the replay has begun");
    check_policy_of_queues(changed);
    site_.policy = policy;
}

} // namespace slotwise
