// Jobs that run in several pools at the same time, and the reservation of the head of each spanning
// queue.
#pragma once

#include "admission/pool_gaps.hpp"
#include "planner/pools/advance_reservations.hpp"
#include "planner/pools/job_transitions.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/promise_book.hpp"
#include "types.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace slotwise {

class SpanningJobs {
  public:
    using Cluster = PoolsLayout::Cluster;

    struct Parts {
        PoolsContext& context;
        PoolEvents& events;
        PoolSet& pools;
        PoolLines& lines;
        PromiseBook& promises;
        JobTransitions& transitions;
    };

    explicit SpanningJobs(const Parts& parts);

    // Makes a copied object use the components of its new planner.
    void rebind(const Parts& parts);

    // Renews the reservations of the cluster's heads, and starts the jobs whose reservations are
    // due. Reservations take no account of promises, so a promise that overlaps a new reservation
    // may have to move.
    void reserve(const Cluster& cluster);

    // Returns true if reserve() would leave every reservation of the cluster unchanged.
    bool stands(const Cluster& cluster);

    // Starts the job if the pools of its queue now have enough processors free for `length`.
    bool start_now(JobId job, Time length);

    // Returns the number of the pool's processors that are now kept free by reservations, excluding
    // the reservations of `job` and of jobs that it precedes.
    ProcCount fenced(PoolId pool, JobId job) const;

    // Returns true if a reservation has begun, so that its job may start.
    bool any_begun() const {
        return std::any_of(spanning_.begin(), spanning_.end(),
                           [&](QueueId queue) { return in_advance_[queue].from <= context_->now; });
    }

    // Marks a pool as changed if a reservation in it has begun.
    void touch_begun();

    // Returns the earliest start of a reservation that has not begun, or kNever. If passes are
    // periodic, also considers reservations that have begun. Otherwise, a reservation that has
    // begun is handled again at the event that frees its processors.
    Time next_begin() const;

    // Returns true if a reservation was dropped since the last call to forget_dropped().
    bool has_dropped() const { return has_dropped_; }
    void forget_dropped() { has_dropped_ = false; }
    void drop_all();

  private:
    struct Seen { // state of the queues when reservations were last renewed
        std::uint64_t n_spanning_changes = 0;
        std::uint64_t n_starving_changes = 0;
        std::uint64_t n_touched_all = 0;
    };
    struct Barred { // pools of spanning queues in which a starving job of a given queue may run
        std::uint64_t n_starving_changes = UINT64_MAX;
        std::vector<PoolId> pools;
    };

    bool stands(QueueId queue);
    bool has_room_for(const AdvanceReservation& kept) const;
    void reserve_in_advance(const Cluster& cluster);
    bool reserve_for_head(QueueId queue);
    bool search_for_head(AdvanceReservation& kept, JobId job, std::vector<PoolId> usable);
    void find_usable(QueueId queue);
    bool find_barred(QueueId queue, std::vector<PoolId>& barred) const;
    bool keep_ever(const std::vector<PoolId>& usable, JobId job, Time length);
    bool precedes(JobId job, JobId other) const;
    void fence(const AdvanceReservation& reservation, int sign);
    void drop(AdvanceReservation& reservation);
    bool start(AdvanceReservation& reservation);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    PromiseBook* promises_;
    JobTransitions* transitions_;
    std::vector<AdvanceReservation> in_advance_; // indexed by queue
    std::vector<QueueId> spanning_;
    std::shared_ptr<const PoolsLayout> layout_of_gaps_;
    std::shared_ptr<const PoolGaps> gaps_;
    bool has_dropped_ = false;
    std::vector<PoolId> usable_;   // scratch memory
    std::vector<Seen> seen_;       // indexed by queue
    std::vector<Barred> barred_;   // indexed by queue
    std::vector<bool> is_spanned_; // for each pool, true if a spanning queue uses it
};

} // namespace slotwise
