// A site that is ready to be replayed: it has been checked, and missing parts have been added.
//
// Example: a machine with 8 processors has a queue "short" and no pools. The prepared site has one
// pool, "machine", with 8 processors, and the queue "short" uses this pool.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Returns a copy of `site` in which defaults replace missing parts: one pool "machine" with all
// processors, one queue that accepts every job, and all pools for each queue that lists none. On a
// machine with nodes, the pools come from with_partitions().
Site completed(Site site);

// A site that consists only of a machine and a policy is left without pools and queues. Any other
// site is completed.
class PreparedSite {
  public:
    // Throws std::invalid_argument for the first value that makes it impossible to replay the site.
    explicit PreparedSite(Site site);

    // Returns a site that has only a machine with this number of processors, and this policy.
    static PreparedSite of_pool(ProcCount processors, const Policy& policy);

    // Replaces the policy. Must not be called if the site consists only of a machine and a policy.
    // If the site cannot be replayed under this policy, throws std::invalid_argument and changes
    // nothing.
    void change_policy(const Policy& policy);

    const Site& operator*() const { return site_; }
    const Site* operator->() const { return &site_; }

  private:
    struct Unchecked {};
    PreparedSite(Site site, Unchecked);

    Site site_;
};

} // namespace slotwise
