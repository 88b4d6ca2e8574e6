#include "replay/context.hpp"

#include "machine/torus/torus.hpp"

namespace slotwise {

NodeCount ReplayContext::nodes_of(JobId job) const {
    return site.torus->nodes_for(jobs.processors[job]);
}

} // namespace slotwise
