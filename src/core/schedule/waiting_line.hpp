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
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    const Entry& operator[](std::size_t at) const { return entries_[at]; }

    // O(length) where the job does not come last.
    void insert(const Entry& entry);

    template <class Leaves> void remove_if(Leaves&& leaves) {
        std::erase_if(entries_, [&](const Entry& entry) { return leaves(entry.job); });
        note_processors();
    }

    // The first entry from `at` on that needs at most so many processors; size() where there is
    // none. Eight comparisons at a time, no branch among them.
    std::size_t first_within(std::size_t at, ProcCount processors) const;

    // Sorts anew the groups whose scores drift.
    void sort_at(Time now, const QueueOrders& orders, const ReplayJobs& jobs);

  private:
    void note_processors();

    std::vector<Entry> entries_;
    std::vector<ProcCount> processors_; // of the entries
};

} // namespace slotwise
