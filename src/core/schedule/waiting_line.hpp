// The waiting jobs a pool may be asked for, in the order in which they are tried.
#pragma once

#include "engine/replay_jobs.hpp"
#include "schedule/queue_orders.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class WaitingLine {
  public:
    struct Entry {
        QueueOrders::Key key;
        JobId job;
        ProcCount processors;
    };

    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    JobId operator[](std::size_t at) const { return entries_[at].job; }
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }

    // O(length) where the job does not come last.
    void insert(const Entry& entry);

    template <class Leaves> void remove_if(Leaves&& leaves) {
        std::erase_if(entries_, [&](const Entry& entry) { return leaves(entry.job); });
    }

    // Sorts anew the groups whose scores drift.
    void sort_at(Time now, const QueueOrders& orders, const ReplayJobs& jobs);

  private:
    std::vector<Entry> entries_;
};

} // namespace slotwise
