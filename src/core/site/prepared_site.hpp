// A site in the form that a replay reads: checked once and completed once.
//
// Example: a machine of 8 processors with one queue "short" and no pools. The prepared site has
// one pool "machine" of 8 processors, and "short" names it.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// A copy of `site` with its defaults filled in: one pool "machine" of all processors, one queue for
// every job, and all pools for a queue that names none.
Site completed(Site site);

// A plain site stays plain: it has neither pools nor queues. Any other site is completed.
class PreparedSite {
  public:
    // Throws std::invalid_argument for the first value under which nothing can be replayed.
    explicit PreparedSite(Site site);

    // A plain machine for one pool of a prepared site, under the policy of that pool.
    static PreparedSite of_pool(ProcCount processors, const Policy& policy);

    // Replaces the policy of a site that is not plain. Throws std::invalid_argument, with nothing
    // changed, for a policy under which the site cannot be replayed.
    void change_policy(const Policy& policy);

    const Site& operator*() const { return site_; }
    const Site* operator->() const { return &site_; }

  private:
    struct Unchecked {};
    PreparedSite(Site site, Unchecked);

    Site site_;
};

} // namespace slotwise
