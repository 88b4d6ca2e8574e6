// In which order the jobs of several queues are tried.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Jobs compare by priority by hand, then by that of their queue, higher first, then by order group,
// then by their rank in that order.
// Queues of equal priority and order form a group, named by the first of them in file order. An
// order that weighs the priority of queues itself has it count as 0 here.
class QueueRanking {
  public:
    // Of a completed site.
    QueueRanking(const Site& site, const ReplayJobs& jobs);

    // A copy may be read in another thread: its orders have scratch of their own.
    QueueRanking(const QueueRanking& other);

    struct Key {
        double by_hand;
        double priority;
        QueueId group;
        JobId rank; // the job itself where scores drift

        bool same_group(const Key& other) const {
            return by_hand == other.by_hand && priority == other.priority && group == other.group;
        }
        bool operator<(const Key& other) const { // comes first
            if (by_hand != other.by_hand) return by_hand > other.by_hand;
            if (priority != other.priority) return priority > other.priority;
            if (group != other.group) return group < other.group;
            return rank < other.rank;
        }
    };

    // `queue` is that of the job.
    Key key(const ReplayJobs& jobs, JobId job, QueueId queue) const {
        const Sorting& sorting = sortings_[sorting_of_[queue]];
        const JobId rank = sorting.rank.empty() ? job : sorting.rank[job];
        return {jobs.by_hand(job), sorting.weighs ? 0.0 : jobs.priority(job), group_[queue], rank};
    }

    // Whether of two jobs of the queue, alike in what they ask for and by hand, the one that came
    // first ranks first, now and later.
    bool are_in_turn(const ReplayJobs& jobs, JobId first, JobId second, QueueId queue) const {
        const Sorting& sorting = sortings_[sorting_of_[queue]];
        return jobs.by_hand(first) == jobs.by_hand(second) &&
               (sorting.rank.empty() || sorting.rank[first] < sorting.rank[second]);
    }

    // Whether that can be told.
    bool ranks_alike(QueueId queue) const {
        const Sorting& sorting = sortings_[sorting_of_[queue]];
        return !sorting.drifts || sorting.order->has_linear_scores();
    }

    // The order of a group whose scores drift; null where ranks say all.
    const Order* drifting(QueueId group) const {
        const Sorting& sorting = sortings_[sorting_of_[group]];
        return sorting.drifts ? sorting.order.get() : nullptr;
    }

    bool drifts() const;

  private:
    struct Sorting {
        OrderSpec spec;
        std::unique_ptr<Order> order;
        std::vector<JobId> rank; // empty: the trace's own, or scores drift
        bool drifts;
        bool weighs; // the priority of queues
    };

    std::size_t find_or_make(OrderSpec spec, const ReplayJobs& jobs);

    std::vector<Sorting> sortings_;       // distinct
    std::vector<std::size_t> sorting_of_; // by queue
    std::vector<QueueId> group_;          // by queue
};

} // namespace slotwise
