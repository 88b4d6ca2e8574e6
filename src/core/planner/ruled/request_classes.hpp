// Waiting jobs in classes of one owner, queue and request. If the first job of a class cannot
// start, neither can the others.
//
// Example: jobs 3, 5 and 8 of user 1 request 4 processors for 100 s, and so does job 6 of user 2.
// They form two classes, with fronts 3 and 6. While user 1 is at a limit, the first class is
// closed, and one flag hides three jobs. Once job 3 has started, job 5 is the front of its class.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Classes are stored in columns, in no particular order, and compared sixteen at a time. When a
// class ends, another one may move into its slot. Finding the class of a job is likely, not
// guaranteed: two classes may hold jobs of one kind. Memory: four bytes per job of the trace.
class RequestClasses {
  public:
    using Slot = std::size_t;
    static constexpr Slot kNoSlot = SIZE_MAX;
    static constexpr std::uint32_t kNoOwner = 0xFFFFFFFFU;
    static constexpr std::size_t kMostJobs = SixteenMinima::kMostRanks;

    struct Entry {
        JobId job;
        JobId rank; // rank in the order of the queue
        ProcCount processors;
        Duration length;
        std::uint32_t hash;      // equal for jobs of one class
        std::uint32_t user = 0;  // number of the user, if the order ranks users
        std::uint32_t owner = 0; // any number shared by the jobs of one class; may be kNoOwner
    };

    // At most kMostJobs.
    explicit RequestClasses(std::size_t n_jobs) : behind_(n_jobs, kNoJob), hints_(kHints, 0) {}

    bool empty() const { return fronts_.empty(); }
    std::size_t size() const { return fronts_.size(); }
    std::size_t n_open() const { return n_open_; }

    // Adds a waiting job behind the last job of a class that satisfies `follows(last)`. Otherwise
    // the job becomes the front of a new open class, and the slot of this class is returned;
    // kNoSlot if the job is no front.
    template <class Follows> Slot put(const Entry& entry, Follows&& follows) {
        ++n_waiting_;
        const Slot hint = hints_[entry.hash % kHints];
        if (hint < size() && kinds_[hint].hash == entry.hash && follows(kinds_[hint].last)) {
            behind_[kinds_[hint].last] = entry.job;
            behind_[entry.job] = kNoJob;
            kinds_[hint].last = entry.job;
            return kNoSlot;
        }
        return open_class(entry);
    }

    JobId front(Slot slot) const { return fronts_[slot]; }
    ProcCount processors(Slot slot) const { return kinds_[slot].processors; }
    Duration length(Slot slot) const { return kinds_[slot].length; }
    bool is_open(Slot slot) const { return kinds_[slot].is_open; }
    std::uint32_t user(Slot slot) const { return kinds_[slot].user; }
    const std::vector<JobId>& fronts() const { return fronts_; }

    // Calls visit(slot) for every class of this owner, which is not kNoOwner.
    template <class Visitor> void for_each_of(std::uint32_t owner, Visitor&& visit) const {
        if (owner >= first_of_.size()) return;
        for (std::uint32_t slot = first_of_[owner]; slot != kNone; slot = links_[slot].next)
            visit(Slot{slot});
    }

    // Opens or closes a class.
    void set_open(Slot slot, bool open);

    // Removes the front. `rank_of(job)` ranks the job behind it. Returns false if the class is then
    // empty; the last class, if it is another one, has then moved into the slot.
    template <class RankOf> bool pop_front(Slot slot, RankOf&& rank_of) {
        --n_waiting_;
        const JobId next = behind_[fronts_[slot]];
        if (next == kNoJob) {
            close_class(slot);
            return false;
        }
        fronts_[slot] = next;
        kinds_[slot].rank = rank_of(next);
        if (kinds_[slot].is_open) ranks_[slot] = SixteenMinima::of(kinds_[slot].rank);
        if (slot == first_) first_ = kNoSlot;
        log_change(slot);
        return true;
    }

    // Removes any waiting job; false if it is not here. O(number of waiting jobs).
    template <class RankOf> bool remove(JobId job, RankOf&& rank_of) {
        for (Slot slot = 0; slot < size(); ++slot) {
            if (fronts_[slot] == job) {
                pop_front(slot, rank_of);
                return true;
            }
            for (JobId ahead = fronts_[slot]; behind_[ahead] != kNoJob; ahead = behind_[ahead])
                if (behind_[ahead] == job) {
                    --n_waiting_;
                    behind_[ahead] = behind_[job];
                    if (kinds_[slot].last == job) kinds_[slot].last = ahead;
                    return true;
                }
        }
        return false;
    }

    // Slot of the open class whose front ranks first; kNoSlot: none is open.
    Slot first() {
        if (first_ == kNoSlot) find_first();
        return first_;
    }

    // First slot of the first group with an open class whose front is within the bounds; size() or
    // more if there is none.
    Slot first_group(const BackfillBounds& bounds) const;

    // Slot of the open class whose front ranks first among those within the bounds and not longer
    // than `longest`, from this group on; kNoSlot: none.
    Slot first_within(Slot from_group, const BackfillBounds& bounds, Duration longest) const;

    // Calls visit(slot) for every open class whose front is within the bounds, from a group on.
    template <class Visitor>
    void for_each_within(const BackfillBounds& bounds, Visitor&& visit, Slot from_group = 0) const {
        for (Slot group = from_group; group < size(); group += backfill::kGroup)
            for (unsigned found = backfill::fitting(&processors_[group], &lengths_[group], bounds);
                 found != 0; found &= found - 1)
                visit(group + static_cast<Slot>(std::countr_zero(found)));
    }

    // Slots in which a class was opened, moved or got another front since forget_changes(), with
    // repetitions; logged from log_changes() on. A slot may no longer exist. If the log is full,
    // other slots may have changed too.
    void log_changes() { logs_changes_ = true; }
    const std::vector<Slot>& changes() const { return changes_; }
    bool is_log_full() const { return changes_.size() == kMostChanges; }
    void forget_changes() { changes_.clear(); }

    // Rank of the front.
    JobId rank(Slot slot) const { return kinds_[slot].rank; }

    std::size_t n_waiting() const { return n_waiting_; }

  private:
    struct Kind {
        JobId last;
        JobId rank; // rank of the front
        ProcCount processors;
        Duration length;
        std::uint32_t hash;
        std::uint32_t user;
        bool is_open;
    };
    struct Links { // links between the classes of one owner
        std::uint32_t owner;
        std::uint32_t previous;
        std::uint32_t next;
    };
    static constexpr std::size_t kHints = std::size_t{1} << 12;
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    static constexpr std::size_t kMostChanges = 4096; // logged

    Slot open_class(const Entry& entry);
    void close_class(Slot slot);
    void link(std::uint32_t slot, std::uint32_t owner);
    void unlink(std::uint32_t slot);
    void relink(std::uint32_t from, std::uint32_t to);
    Slot slot_of(SixteenMinima::Value value) const;
    void find_first();
    void log_change(Slot slot) {
        if (logs_changes_ && !is_log_full()) changes_.push_back(slot);
    }
    void note_opened(Slot slot) {
        if (first_ != kNoSlot && ranks_[slot] < ranks_[first_]) first_ = slot;
        log_change(slot);
    }

    std::vector<JobId> fronts_;           // indexed by slot
    std::vector<Kind> kinds_;             // indexed by slot
    std::vector<Links> links_;            // indexed by slot
    std::vector<std::uint32_t> first_of_; // by owner: the slot of one of its classes
    // By slot, padded to whole groups of sixteen.
    std::vector<SixteenMinima::Value> ranks_; // rank of the front; kNone: the class is closed
    std::vector<ProcCount> processors_;       // kClosed: the class is closed
    std::vector<std::int32_t> lengths_;       // biased
    Slot first_ = kNoSlot; // open class whose front ranks first; kNoSlot: not known
    std::size_t n_open_ = 0;
    std::vector<Slot> changes_;
    bool logs_changes_ = false;
    std::size_t n_waiting_ = 0;
    std::vector<JobId> behind_;        // by job: the next of its class
    std::vector<std::uint32_t> hints_; // by hash: a slot that may hold its class
};

} // namespace slotwise
