// Records the pools and clusters in which something has happened since they were last planned.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/pools/pools_context.hpp"
#include "queue/queue_ranking.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class PoolEvents {
  public:
    enum class Touched : std::uint8_t { not_at_all, by_an_arrival, otherwise };

    // Used instead of a line index for starving jobs, which are tried before all lines.
    static constexpr std::size_t kBeforeLines = SIZE_MAX;

    // The state in which the last sweep left a pool: the job that blocks it, and bounds on later
    // jobs that may still fit. It is valid until the pool is due again.
    struct Left {
        JobId head = kNoJob; // kNoJob if unknown
        std::size_t line = kBeforeLines;
        QueueRanking::Key key{};
        BackfillBounds bounds{};
        Time at = 0;
    };

    explicit PoolEvents(const PoolsContext& context)
        : touched_(context.layout->clusters.size()), is_settled_(touched_.size(), 0),
          is_due_(context.layout->site.pools.size(), 1), has_opened_(is_due_.size(), 0),
          left_(is_due_.size()), n_due_(is_due_.size()) {
        rebind(context);
    }
    void rebind(const PoolsContext& context) { context_ = &context; }

    // touch() marks the pool and its cluster as changed; touch_cluster() marks only a cluster.
    void touch(PoolId pool) {
        touch_cluster(context_->layout->cluster_of[pool]);
        set_due(pool, true);
    }
    void touch_cluster(std::size_t cluster) { touched_[cluster] = Touched::otherwise; }
    // Marks the pools in which the waiting job must now be tried. In a pool with a threshold, a job
    // is tried only once its slowdown factor is above the threshold.
    void mark_due(JobId job, QueueId queue, bool starves) {
        const PoolsLayout& layout = *context_->layout;
        for (const std::size_t at : layout.lines_of[queue]) {
            const PoolId pool = layout.lines[at].pool;
            if (is_due(pool) || is_held_back(job, pool, starves ? kBeforeLines : at)) continue;
            if (!layout.site.pools[pool].has_threshold || context_->is_open(pool, job))
                set_due(pool, true);
        }
    }
    void keep(PoolId pool, const Left& left) { left_[pool] = left; }
    bool any_due() const { return n_due_ > 0; }
    bool any_due(const PoolsLayout::Cluster& cluster) const {
        return n_due_ > 0 && std::any_of(cluster.pools.begin(), cluster.pools.end(),
                                         [&](PoolId pool) { return is_due(pool); });
    }
    void note_arrival(QueueId queue) {
        Touched& touched = touched_[context_->layout->cluster_of_queue(queue)];
        touched = std::max(touched, Touched::by_an_arrival);
    }
    void touch_all() {
        std::fill(touched_.begin(), touched_.end(), Touched::otherwise);
        std::fill(is_due_.begin(), is_due_.end(), std::uint8_t{1});
        n_due_ = is_due_.size();
        ++n_touched_all_;
    }
    std::uint64_t n_touched_all() const { return n_touched_all_; }

    // Records that a job has stopped waiting.
    void note_left() { ++n_left_; }
    std::uint64_t n_left() const { return n_left_; }

    std::size_t n_clusters() const { return touched_.size(); }
    Touched touched(std::size_t cluster) const { return touched_[cluster]; }
    void forget(std::size_t cluster) { touched_[cluster] = Touched::not_at_all; }

    // Returns true if the bounds and reservations recorded by the last sweep of the cluster are
    // still valid.
    bool is_settled(std::size_t cluster) const { return is_settled_[cluster] != 0; }
    void settle(std::size_t cluster, bool settled) {
        is_settled_[cluster] = static_cast<std::uint8_t>(settled);
    }
    void unsettle_all() {
        std::fill(is_settled_.begin(), is_settled_.end(), std::uint8_t{0});
        std::fill(left_.begin(), left_.end(), Left{});
    }

    // Returns true if the pool has changed since its last sweep.
    bool is_due(PoolId pool) const { return is_due_[pool] != 0; }
    void set_due(PoolId pool, bool due) {
        n_due_ += static_cast<std::size_t>(due) - is_due_[pool];
        is_due_[pool] = static_cast<std::uint8_t>(due);
    }

    // Returns true if more processors may be free in the pool than when promises were last moved.
    bool has_opened(PoolId pool) const { return has_opened_[pool] != 0; }
    void set_opened(PoolId pool, bool opened) {
        has_opened_[pool] = static_cast<std::uint8_t>(opened);
    }
    void forget_openings() { std::fill(has_opened_.begin(), has_opened_.end(), std::uint8_t{0}); }

  private:
    // Returns true if the job need not be tried, because it comes after the job that blocks the
    // pool and does not fit alongside it.
    bool is_held_back(JobId job, PoolId pool, std::size_t line) const {
        const Left& left = left_[pool];
        if (left.head == kNoJob) return false;
        if (left.line == line) {
            if (context_->layout->site.pools[pool].has_threshold && line != kBeforeLines)
                return false; // jobs in this line are ordered by slowdown factor
            const bool is_behind =
                line == kBeforeLines ? left.head < job : left.key < context_->key(job);
            if (!is_behind) return false;
        } else if (line == kBeforeLines || (left.line != kBeforeLines && line < left.line)) {
            return false;
        }
        const ProcCount processors = context_->jobs.processors[job];
        if (processors > left.bounds.free) return true;
        if (processors <= left.bounds.extra || left.bounds.until_shadow >= kMaxDuration)
            return false;
        return context_->now + context_->estimates.waiting(job) >
               left.at + left.bounds.until_shadow;
    }

    const PoolsContext* context_;
    std::vector<Touched> touched_;         // one element per cluster
    std::vector<std::uint8_t> is_settled_; // one element per cluster
    std::vector<std::uint8_t> is_due_;     // one element per pool
    std::vector<std::uint8_t> has_opened_; // one element per pool
    std::vector<Left> left_;               // one element per pool
    std::size_t n_due_;
    std::uint64_t n_left_ = 0;
    std::uint64_t n_touched_all_ = 0; // number of calls to touch_all()
};

} // namespace slotwise
