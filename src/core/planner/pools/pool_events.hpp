// Pools and clusters in which something has happened since they were last planned.
#pragma once

#include "planner/pools/pools_context.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class PoolEvents {
  public:
    enum class Touched : std::uint8_t { not_at_all, by_an_arrival, otherwise };

    explicit PoolEvents(const PoolsContext& context)
        : touched_(context.layout->clusters.size()), is_settled_(touched_.size(), 0),
          is_due_(context.layout->site.pools.size(), 1), has_opened_(is_due_.size(), 0) {
        rebind(context);
    }
    void rebind(const PoolsContext& context) { context_ = &context; }

    // Marks the pool, the cluster or the pools of the queue as changed.
    void touch(PoolId pool) {
        touch_cluster(context_->layout->cluster_of[pool]);
        is_due_[pool] = 1;
    }
    void touch_cluster(std::size_t cluster) { touched_[cluster] = Touched::otherwise; }
    void mark_due(QueueId queue) {
        for (const std::size_t at : context_->layout->lines_of[queue])
            is_due_[context_->layout->lines[at].pool] = 1;
    }
    void note_arrival(QueueId queue) {
        Touched& touched = touched_[context_->layout->cluster_of_queue(queue)];
        touched = std::max(touched, Touched::by_an_arrival);
    }
    void touch_all() {
        std::fill(touched_.begin(), touched_.end(), Touched::otherwise);
        std::fill(is_due_.begin(), is_due_.end(), std::uint8_t{1});
    }

    std::size_t n_clusters() const { return touched_.size(); }
    Touched touched(std::size_t cluster) const { return touched_[cluster]; }
    void forget(std::size_t cluster) { touched_[cluster] = Touched::not_at_all; }

    // True if the bounds and reservations that the last sweep of the cluster left still hold.
    bool is_settled(std::size_t cluster) const { return is_settled_[cluster] != 0; }
    void settle(std::size_t cluster, bool settled) {
        is_settled_[cluster] = static_cast<std::uint8_t>(settled);
    }
    void unsettle_all() { std::fill(is_settled_.begin(), is_settled_.end(), std::uint8_t{0}); }

    // True if the pool has changed since its last sweep.
    bool is_due(PoolId pool) const { return is_due_[pool] != 0; }
    void set_due(PoolId pool, bool due) { is_due_[pool] = static_cast<std::uint8_t>(due); }

    // True if more may be free in the pool than when promises last moved.
    bool has_opened(PoolId pool) const { return has_opened_[pool] != 0; }
    void set_opened(PoolId pool, bool opened) {
        has_opened_[pool] = static_cast<std::uint8_t>(opened);
    }
    void forget_openings() { std::fill(has_opened_.begin(), has_opened_.end(), std::uint8_t{0}); }

  private:
    const PoolsContext* context_;
    std::vector<Touched> touched_;         // by cluster
    std::vector<std::uint8_t> is_settled_; // by cluster
    std::vector<std::uint8_t> is_due_;     // by pool
    std::vector<std::uint8_t> has_opened_; // by pool
};

} // namespace slotwise
