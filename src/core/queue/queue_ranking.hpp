// The order in which jobs of several queues are tried.
#pragma once

#include "order/order.hpp"
#include "queue/order_ranks.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Jobs are compared by manual priority, and then by the priority of their queue; higher priorities
// come first. After that, they are compared by order group, and by rank within the group. Queues
// with the same priority and the same order form a group, which has the number of its first queue.
// If an order itself uses queue priorities, the priorities of its queues count as 0 here.
class QueueRanking {
  public:
    // `site` must be a result of completed() (site/prepared_site.hpp).
    QueueRanking(const Site& site, const ReplayJobs& jobs);

    // Copies the ranking. The copy may be read in another thread, because its orders have their own
    // scratch memory.
    QueueRanking(const QueueRanking& other);

    struct Key {
        double manual;
        double priority;
        QueueId group;
        JobId rank; // position in the trace, if scores change over time

        bool same_group(const Key& other) const {
            return manual == other.manual && priority == other.priority && group == other.group;
        }
        bool operator<(const Key& other) const { // returns true if this key comes first
            if (manual != other.manual) return manual > other.manual;
            if (priority != other.priority) return priority > other.priority;
            if (group != other.group) return group < other.group;
            return rank < other.rank;
        }
    };

    // Returns the key of a job. `queue` must be the queue of the job.
    Key key(const ReplayJobs& jobs, JobId job, QueueId queue) const {
        const Sorting& sorting = sortings_[sorting_of_[queue]];
        return {jobs.manual_priority(job), sorting.weighs ? 0.0 : jobs.priority(job), group_[queue],
                sorting.ranks.rank_of(job)};
    }

    // Returns true if `first` always ranks before `second`. Both jobs must be in `queue` and have
    // equal requests. `first` must come before `second` in the trace.
    bool are_in_turn(const ReplayJobs& jobs, JobId first, JobId second, QueueId queue) const {
        const OrderRanks& ranks = sortings_[sorting_of_[queue]].ranks;
        return jobs.manual_priority(first) == jobs.manual_priority(second) &&
               ranks.rank_of(first) < ranks.rank_of(second);
    }

    // Returns true if the result of are_in_turn() never changes in this queue.
    bool keeps_arrival_order(QueueId queue) const {
        const OrderRanks& ranks = sortings_[sorting_of_[queue]].ranks;
        return !ranks.drifts() || ranks.order().has_linear_scores();
    }

    // Returns the order of a group whose scores change over time, or null if ranks are enough.
    const Order* drifting(QueueId group) const {
        const OrderRanks& ranks = sortings_[sorting_of_[group]].ranks;
        return ranks.drifts() ? &ranks.order() : nullptr;
    }

    bool drifts() const;

  private:
    struct Sorting {
        OrderSpec spec;
        OrderRanks ranks;
        bool weighs; // the order itself uses queue priorities
    };

    std::size_t find_or_make(OrderSpec spec, const ReplayJobs& jobs);

    std::vector<Sorting> sortings_;       // distinct orders
    std::vector<std::size_t> sorting_of_; // indexed by queue
    std::vector<QueueId> group_;          // indexed by queue
};

} // namespace slotwise
