// A machine whose free processor count does not show whether a job fits. It has nodes, or it is a
// torus on which each job takes consecutive nodes.
#pragma once

#include "admission/routing.hpp"
#include "planner/interval_pools.hpp"
#include "planner/node_pools.hpp"
#include "replay/context.hpp"
#include "site/site.hpp"

#include <optional>

namespace slotwise {

class PlannedMachine {
  public:
    // `site` must come from completed(), and must outlive this object.
    PlannedMachine(const Site& site, const Routing& routing, const ReplayContext& context) {
        if (site.has_nodes())
            nodes_.emplace(site, routing.shapes, context.jobs.size(), context.jobs.first_submit);
        else if (site.has_torus() && is_contiguous(context.policy.allocation))
            intervals_.emplace(site, context);
    }

    // Makes a copied object use `context`.
    void rebind(const ReplayContext& context) {
        if (intervals_) intervals_->rebind(context);
    }

    // nodes() returns the pools of a machine with nodes, and intervals() the pools of a torus. Each
    // returns null if the machine is of another kind.
    NodePools* nodes() { return nodes_ ? &*nodes_ : nullptr; }
    const NodePools* nodes() const { return nodes_ ? &*nodes_ : nullptr; }
    IntervalPools* intervals() { return intervals_ ? &*intervals_ : nullptr; }
    const IntervalPools* intervals() const { return intervals_ ? &*intervals_ : nullptr; }

    // Returns nodes() or intervals(), whichever is not null, or null if only the number of free
    // processors matters.
    JobPools* by_job() {
        if (nodes_) return &*nodes_;
        return intervals_ ? &*intervals_ : nullptr;
    }
    const JobPools* by_job() const {
        if (nodes_) return &*nodes_;
        return intervals_ ? &*intervals_ : nullptr;
    }

  private:
    std::optional<NodePools> nodes_;
    std::optional<IntervalPools> intervals_;
};

} // namespace slotwise
