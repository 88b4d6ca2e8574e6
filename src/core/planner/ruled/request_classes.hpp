// Classes of waiting jobs. The jobs of a class have the same owner, queue and request. If the first
// job of a class cannot start, the others cannot start either.
//
// Example: jobs 3, 5 and 8 of user 1 request 4 processors for 100 s, and so does job 6 of user 2.
// These jobs form two classes, with the fronts 3 and 6. While user 1 cannot start more jobs because
// of a limit, the first class is closed, so one flag excludes three jobs. When job 3 has started,
// job 5 becomes the front of its class. If user 1 has hundreds of classes and often reaches the
// limit, one gate closes all of them.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/ruled/pages/class_pages.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

// Classes are stored in slots, in no particular order. When a class ends, another one may move into
// its slot. A new job usually joins the existing class of its kind. The search for this class may
// fail, so there may be two classes of the same kind. The object uses four bytes per job in the
// trace.
class RequestClasses {
  public:
    using Slot = ClassPages::Slot;
    using Gate = ClassPages::Gate;
    static constexpr Slot kNoSlot = ClassPages::kNoSlot;
    static constexpr std::uint32_t kNoOwner = 0xFFFFFFFFU;
    static constexpr std::size_t kMostJobs = SixteenMinima::kMostRanks;

    // The owner of a class, and the owner's room. A class is open if it is ready and its processors
    // do not exceed the room.
    struct Owner {
        std::uint32_t number; // a number chosen by the caller, or kNoOwner
        ProcCount room;
        bool is_ready; // false if the class must be closed even if there is room
    };
    struct Entry {
        JobId job;
        JobId rank; // rank in the order of the queue
        ProcCount processors;
        Duration length;
        std::uint32_t hash;     // equal for all jobs of a class
        std::uint32_t user = 0; // number of the user; used only if the order ranks users
    };

    struct Kind {
        JobId last;
        JobId rank; // rank of the front
        ProcCount processors;
        Duration length;
        std::uint32_t hash;
        std::uint32_t user;
        bool is_ready;
        bool is_shown; // true if its slot is open
    };
    // A log of changes since start(): the slots in which a class was opened, moved or given another
    // front, and the gates whose room has increased. A slot may be listed several times, and may no
    // longer contain a class. If the log is full, other slots and gates may have changed too.
    class Changes {
      public:
        void start() { is_kept_ = true; }
        const std::vector<Slot>& slots() const { return slots_; }
        const std::vector<Gate>& eased_gates() const { return eased_gates_; }
        bool is_full() const { return slots_.size() == kMost || eased_gates_.size() == kMost; }
        void note(Slot slot) {
            if (is_kept_ && !is_full()) slots_.push_back(slot);
        }
        void note_eased(Gate gate) {
            if (is_kept_ && !is_full()) eased_gates_.push_back(gate);
        }
        void forget() {
            slots_.clear();
            eased_gates_.clear();
        }

      private:
        static constexpr std::size_t kMost = 4096;

        std::vector<Slot> slots_;
        std::vector<Gate> eased_gates_;
        bool is_kept_ = false;
    };

    // Requires n_jobs <= kMostJobs. `ranks_users` must be true if the order ranks users.
    RequestClasses(std::size_t n_jobs, bool ranks_users)
        : ranks_users_(ranks_users), n_many_(ranks_users ? 48 : 512), behind_(n_jobs, kNoJob),
          hints_(kHints, 0) {}

    bool empty() const { return n_classes_ == 0; }
    std::size_t n_waiting() const { return n_waiting_; }
    bool any_open() { return n_open_ > 0 || (may_be_open() && pages_.first() != kNoSlot); }
    bool may_be_open() const { return n_open_ > 0 || pages_.gates().any_open(); }

    // Adds a waiting job. If a class satisfies `follows(last)`, where `last` is the last job of the
    // class, adds the job behind `last` and returns kNoSlot. Otherwise, makes the job the front of
    // a new class and returns the slot of this class. owner_of(job) must return the owner of a new
    // class.
    template <class Follows, class OwnerOf>
    Slot put(const Entry& entry, Follows&& follows, OwnerOf&& owner_of) {
        ++n_waiting_;
        const Slot hint = hints_[entry.hash % kHints];
        if (hint < fronts_.size() && has_class(hint) && kinds_[hint].hash == entry.hash &&
            follows(kinds_[hint].last)) {
            behind_[kinds_[hint].last] = entry.job;
            behind_[entry.job] = kNoJob;
            kinds_[hint].last = entry.job;
            return kNoSlot;
        }
        return open_class(entry, owner_of(entry.job));
    }

    bool has_class(Slot slot) const { return fronts_[slot] != kNoJob; }
    JobId front(Slot slot) const { return fronts_[slot]; }
    const Kind& kind(Slot slot) const { return kinds_[slot]; }
    bool is_open(Slot slot) const {
        return kinds_[slot].is_ready && kinds_[slot].processors <= room_of(links_[slot].owner);
    }

    template <class Visitor> void for_each(Visitor&& visit) const {
        for (Slot slot = 0; slot < pages_.end(); ++slot)
            if (has_class(slot)) visit(slot);
    }

    // Returns true if any class has this owner, which must not be kNoOwner.
    bool has_owner(std::uint32_t owner) const {
        return owner < owners_.size() && owners_[owner].n_classes > 0;
    }

    // Sets the room of an owner, which must not be kNoOwner.
    void set_room(std::uint32_t owner, ProcCount room);

    void set_ready(Slot slot, bool ready);

    // Removes the front of a class. `rank_of(job)` must return the rank of `job`, the new front.
    // Returns false if the class has become empty. Another class may then have been moved from slot
    // moved_from() into this slot.
    template <class RankOf> bool pop_front(Slot slot, RankOf&& rank_of) {
        --n_waiting_;
        const JobId next = behind_[fronts_[slot]];
        if (next == kNoJob) {
            close_class(slot);
            return false;
        }
        fronts_[slot] = next;
        kinds_[slot].rank = rank_of(next);
        if (kinds_[slot].is_shown) pages_.set_rank(slot, kinds_[slot].rank);
        if (slot == first_) first_ = kNoSlot;
        changes_.note(slot);
        return true;
    }
    Slot moved_from() const { return moved_from_; }

    // Removes a waiting job, which need not be a front. Returns false if no class contains the job.
    // Takes time linear in the number of waiting jobs.
    template <class RankOf> bool remove(JobId job, RankOf&& rank_of) {
        for (Slot slot = 0; slot < pages_.end(); ++slot) {
            if (!has_class(slot)) continue;
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

    // Returns the open class whose front has the smallest rank, or kNoSlot if no class is open.
    Slot first() {
        if (first_ == kNoSlot) first_ = pages_.first();
        return first_;
    }

    // Returns the pages that searches read. They contain all slots, whether open or closed.
    ClassPages& pages() { return pages_; }
    const ClassPages& pages() const { return pages_; }

    // Returns true if there are now so many classes that the pages should be divided into sections,
    // or so few that they no longer should be. arrange() makes this change, and moves all classes.
    bool must_arrange() const {
        return pages_.is_sectioned() ? n_classes_ < n_many_ / 2 : n_classes_ > n_many_;
    }
    void arrange();

    // Returns true if the classes of an owner should be moved. An owner whose classes are often
    // opened and closed gets a gate; an owner whose classes are usually open loses it. regroup()
    // moves the classes, and calls moved(from, to) for each class that moves to another slot.
    bool must_regroup() const {
        return owner_for_gate_ != kNoOwner || pages_.gates().has_gate_to_drop();
    }
    template <class Moved> void regroup(Moved&& moved);

    // Returns the changes since the last forget().
    Changes& changes() { return changes_; }

  private:
    struct Links { // links between the classes of an owner that has no gate
        std::uint32_t owner;
        std::uint32_t previous;
        std::uint32_t next;
    };
    struct OwnerState {
        std::uint32_t first = kNone; // slot of one of the owner's classes, if the owner has no gate
        std::uint32_t n_classes = 0;
        // Number of times that a class was opened or closed while the owner had no gate.
        std::uint32_t n_toggled = 0;
        Gate gate = ClassPages::kNoGate;
        ProcCount room = 0;
        ProcCount largest = 0; // largest number of processors of any class so far
    };
    static constexpr std::size_t kHints = std::size_t{1} << 12;
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    // An owner gets a gate after kManyToggles openings or closings per class, plus kFewToggles in
    // total. Moving a class takes about as long as kManyToggles openings or closings.
    static constexpr std::uint32_t kManyToggles = 4;
    static constexpr std::uint32_t kFewToggles = 256;
    // From this gate on, each gate has several sections, one per shape.
    static constexpr Gate kNarrowGates = 256;

    ProcCount room_of(std::uint32_t owner) const {
        return owner != kNoOwner ? owners_[owner].room : SixteenMinima::kNone;
    }
    Gate gate_of(std::uint32_t owner) const {
        return owner != kNoOwner ? owners_[owner].gate : ClassPages::kNoGate;
    }
    bool is_gated(Slot slot) const { return pages_.gate_of(slot) != ClassPages::kNoGate; }
    ClassPages::Section section_of(const Kind& kind, Gate gate) const;
    Slot open_class(const Entry& entry, const Owner& owner);
    Slot place(JobId front, const Kind& kind, std::uint32_t owner);
    void close_class(Slot slot);
    void fill(Slot slot, Slot from);
    void show(Slot slot, bool shown, bool gated);
    void link(std::uint32_t slot, std::uint32_t owner, bool gated);
    void unlink(std::uint32_t slot);
    void relink(std::uint32_t from, std::uint32_t to);
    void take_gate(std::uint32_t owner);
    void leave_gate(std::uint32_t owner);
    template <class Moved> void move(Slot slot, Moved&& moved);

    bool ranks_users_;
    // If there are more classes than this, they are kept in sections. Up to this number, scanning
    // all pages takes less time. The number is lower if the order ranks users, because comparing
    // users takes longer.
    std::size_t n_many_;
    ClassPages pages_;
    std::vector<JobId> fronts_;                // indexed by slot; kNoJob: the slot is free
    std::vector<Kind> kinds_;                  // indexed by slot
    std::vector<Links> links_;                 // indexed by slot
    std::vector<OwnerState> owners_;           // indexed by owner number
    std::vector<std::uint32_t> owner_of_gate_; // indexed by gate; kNoOwner: the gate is not in use
    std::uint32_t owner_for_gate_ = kNoOwner;  // the owner that should get a gate
    Slot first_ = kNoSlot;      // open class whose front has the smallest rank; kNoSlot: unknown
    Slot moved_from_ = kNoSlot; // slot of the class moved by the last removal
    std::size_t n_classes_ = 0;
    std::size_t n_open_ = 0; // number of open classes without a gate
    Changes changes_;
    std::size_t n_waiting_ = 0;
    std::vector<JobId> behind_;        // for each job, the next job of its class
    std::vector<std::uint32_t> hints_; // for each hash, a slot that may have a class with this hash
};

template <class Moved> void RequestClasses::regroup(Moved&& moved) {
    const Gate gate = pages_.take_gate_to_drop();
    if (gate < owner_of_gate_.size() && owner_of_gate_[gate] != kNoOwner) {
        leave_gate(owner_of_gate_[gate]);
        while (!pages_.gates().sections_of(gate).empty())
            move(pages_.last_of(pages_.gates().sections_of(gate).back()), moved);
    }
    const std::uint32_t owner = std::exchange(owner_for_gate_, kNoOwner);
    if (owner == kNoOwner || gate_of(owner) != ClassPages::kNoGate) return;
    take_gate(owner);
    while (owners_[owner].gate != ClassPages::kNoGate && owners_[owner].first != kNone)
        move(owners_[owner].first, moved);
}

// Moves a class to the section that matches its owner's current gate.
template <class Moved> void RequestClasses::move(Slot slot, Moved&& moved) {
    const std::uint32_t owner = links_[slot].owner;
    if (kinds_[slot].is_shown && !is_gated(slot)) --n_open_;
    unlink(static_cast<std::uint32_t>(slot));
    const Slot to = place(fronts_[slot], kinds_[slot], owner);
    moved(slot, to);
    const Slot from = pages_.remove(slot);
    if (from != slot) {
        fill(slot, from);
        moved(from, slot);
    }
    fronts_[from] = kNoJob;
    first_ = kNoSlot;
}

} // namespace slotwise
