// A site in the form that a replay reads: checked once and completed once.
//
// Example: a machine with 8 processors has one queue "short" and no pools. The prepared site has
// one pool "machine" with 8 processors, and "short" names it.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// A copy of `site` with its defaults filled in: one pool "machine" of all processors, one queue
// that takes every job, and all pools for a queue that names none.
Site completed(Site site);

// A plain site stays plain: it has neither pools nor queues. Any other site is completed.
class PreparedSite {
  public:
    // Throws std::invalid_argument for the first value with which the site cannot be replayed.
    explicit PreparedSite(Site site);

    // A plain machine for one pool of a prepared site, under the policy of that pool.
    static PreparedSite of_pool(ProcCount processors, const Policy& policy);

    // Replaces the policy of a site that is not plain. Throws std::invalid_argument, and changes
    // nothing, for a policy under which the site cannot be replayed.
    void change_policy(const Policy& policy);

    const Site& operator*() const { return site_; }
    const Site* operator->() const { return &site_; }

  private:
    struct Unchecked {};
    PreparedSite(Site site, Unchecked);

    Site site_;
};

} // namespace slotwise
