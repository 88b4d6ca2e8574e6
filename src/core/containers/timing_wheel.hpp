// An ordered set of instants, each with a value (its load). Finding an instant does not require a
// search.
//
// Near instants are stored in a wheel of 4,096 slots of equal width. Each slot is a list in
// ascending order, and two levels of bits mark the slots in use. Instants beyond the end of the
// wheel are stored in an extra slot, `kFar`, which is a sorted vector. Example: with slots of 16 s
// that begin at time 0, the wheel ends at 65,536. The instant 10 is in slot 0, the instants 20 and
// 30 are in slot 1, and the instant 100,000 is in kFar. Once the current time has reached 34,816
// and no earlier instant is left, the wheel can turn forward far enough to include 100,000.
//
// The width of the slots affects only the speed. It is derived from the horizon: if the horizon is
// about as long as the longer jobs, few instants share a slot.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Returns a horizon for jobs of these lengths: a length that 95 % of a sample of the jobs do not
// exceed.
Duration horizon_of(std::span<const Duration> lengths);

// `Load` is the type of the value stored with each instant. It must be small and trivially
// copyable. A new instant has the value Load{}.
template <class Load> class TimingWheel {
  public:
    using Slot = std::uint32_t;
    using Bits = std::uint64_t;
    static constexpr unsigned kInGroup = 64; // slots per group
    static constexpr unsigned kGroups = 64;
    static constexpr Slot kFar = kGroups * kInGroup;

    // The wheel is fastest if most instants lie at most `horizon` in the future.
    TimingWheel(Time origin, Duration horizon)
        : origin_(origin),
          shift_(static_cast<unsigned>(std::bit_width(horizon / (kFar - 2 * kInGroup)))) {
        head_.fill(kNone);
    }

    bool empty() const { return groups_ == 0 && far_.empty(); }

    Slot slot_of(Time time) const {
        const Time tick = (time - origin_) >> shift_;
        return tick - base_ < kFar ? in_wheel(tick) : kFar;
    }

    // Returns the slot of `time`. If `time` is beyond the end of the wheel, the wheel first turns
    // to `now`, and `moved(slot, load)` is called for each load that moves into the wheel.
    template <class Moved> Slot slot_of(Time time, Time now, Moved&& moved) {
        const Time tick = (time - origin_) >> shift_;
        if (tick - base_ < kFar) return in_wheel(tick);
        turn(now, moved);
        return slot_of(time);
    }

    // Returns the load of the instant `time`, whose slot is `slot`. Adds the instant if it is not
    // there yet.
    Load& at(Slot slot, Time time) {
        if (slot == kFar) return far_at(time);
        if (free_ == kNone) add_entries();
        std::uint32_t* link = &head_[slot];
        while (*link != kNone && entries_[*link].time < time)
            link = &entries_[*link].next;
        const std::uint32_t next = *link;
        if (next != kNone && entries_[next].time == time) return entries_[next].load;
        Entry& entry = entries_[free_];
        *link = free_;
        free_ = entry.next;
        entry = {time, Load{}, next};
        mark(slot);
        return entry.load;
    }

    // Calls `empties(load)` with the load of the instant `time`, which is in `slot`. Removes the
    // instant if the call returns true.
    template <class Empties> void take(Slot slot, Time time, Empties&& empties) {
        if (slot == kFar) {
            const auto found = find_far(time);
            if (empties(found->load)) far_.erase(found);
            return;
        }
        std::uint32_t* link = &head_[slot];
        while (entries_[*link].time != time)
            link = &entries_[*link].next;
        if (empties(entries_[*link].load)) unlink(slot, link);
    }

    // Returns the first instant, or kNever if there is none, and sets `slot` to the slot of that
    // instant. If all instants are beyond the end of the wheel, the wheel first turns to the
    // earliest instant, and `moved` is called as in slot_of().
    template <class Moved> Time first(Moved&& moved, Slot& slot) {
        if (groups_ == 0) {
            slot = kFar;
            if (far_.empty()) return kNever;
            turn(far_.back().time, moved);
        }
        const unsigned group = first_group();
        slot = group * kInGroup + first_bit(slots_[group]);
        return entries_[head_[slot]].time;
    }

    // Returns the first load in `slot`, which must be a slot of the wheel and not empty.
    Load& first_in(Slot slot) { return entries_[head_[slot]].load; }
    void erase_first_in(Slot slot) { unlink(slot, &head_[slot]); }

    // Calls `visit(group)` for each non-empty group of slots, in order, until a call returns true.
    // Returns true if a call did so. any_slot() does the same for the slots in a group, and
    // any_in() calls `visit(time, load)` for the loads in a slot.
    template <class Visit> bool any_group(Visit&& visit) const {
        for (Bits left = std::rotr(groups_, turned()); left != 0; left &= left - 1)
            if (visit((first_bit(left) + static_cast<unsigned>(turned())) % kGroups)) return true;
        return false;
    }
    template <class Visit> bool any_slot(unsigned group, Visit&& visit) const {
        for (Bits left = slots_[group]; left != 0; left &= left - 1)
            if (visit(static_cast<Slot>(group * kInGroup + first_bit(left)))) return true;
        return false;
    }
    template <class Visit> bool any_in(Slot slot, Visit&& visit) const {
        if (slot == kFar) {
            for (auto entry = far_.rbegin(); entry != far_.rend(); ++entry)
                if (visit(entry->time, entry->load)) return true;
            return false;
        }
        for (std::uint32_t i = head_[slot]; i != kNone; i = entries_[i].next)
            if (visit(entries_[i].time, entries_[i].load)) return true;
        return false;
    }

    // Returns true if all instants in `group` precede all instants in `other`. `other` may be the
    // group of kFar.
    bool is_earlier(unsigned group, unsigned other) const {
        if (other == kFar / kInGroup) return group != other;
        const auto turned = static_cast<unsigned>(this->turned());
        return (group - turned) % kGroups < (other - turned) % kGroups;
    }

  private:
    struct Entry {
        Time time;
        Load load;
        std::uint32_t next; // next entry in its slot, or in the free list
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    // Returns the slot of the instant. Overdue instants are stored in the first slot of the wheel.
    Slot in_wheel(Time tick) const { return static_cast<Slot>(std::max(tick, base_)) % kFar; }

    static unsigned first_bit(Bits bits) { return static_cast<unsigned>(std::countr_zero(bits)); }
    int turned() const { return static_cast<int>(static_cast<Slot>(base_) / kInGroup % kGroups); }
    unsigned first_group() const {
        return (first_bit(std::rotr(groups_, turned())) + static_cast<unsigned>(turned())) %
               kGroups;
    }

    void mark(Slot slot) {
        slots_[slot / kInGroup] |= Bits{1} << slot % kInGroup;
        groups_ |= Bits{1} << slot / kInGroup;
    }

    void unlink(Slot slot, std::uint32_t* link) {
        const std::uint32_t at = *link;
        *link = entries_[at].next;
        entries_[at].next = free_;
        free_ = at;
        if (head_[slot] != kNone) return;
        slots_[slot / kInGroup] &= ~(Bits{1} << slot % kInGroup);
        if (slots_[slot / kInGroup] == 0) groups_ &= ~(Bits{1} << slot / kInGroup);
    }

    // Turns the wheel so that it begins with the group that contains `now`, or with the first
    // non-empty group if that is earlier.
    template <class Moved> [[gnu::noinline]] void turn(Time now, Moved&& moved) {
        Time base = ((now - origin_) >> shift_) / kInGroup * kInGroup;
        if (groups_ != 0) {
            const unsigned skipped = first_bit(std::rotr(groups_, turned()));
            base = std::min<Time>(base, base_ + skipped * kInGroup);
        }
        base_ = std::max(base, base_);
        while (!far_.empty()) {
            const Entry nearest = far_.back();
            const Slot slot = slot_of(nearest.time);
            if (slot == kFar) return;
            far_.pop_back();
            at(slot, nearest.time) = nearest.load;
            moved(slot, nearest.load);
        }
    }

    typename std::vector<Entry>::iterator find_far(Time time) {
        return std::lower_bound(far_.begin(), far_.end(), time,
                                [](const Entry& a, Time t) { return a.time > t; });
    }
    [[gnu::noinline]] Load& far_at(Time time) {
        const auto found = find_far(time);
        if (found != far_.end() && found->time == time) return found->load;
        return far_.insert(found, {time, Load{}, kNone})->load;
    }

    [[gnu::noinline]] void add_entries() {
        const std::size_t n = entries_.size();
        entries_.resize(std::max<std::size_t>(64, 2 * n));
        for (std::size_t i = n; i < entries_.size(); ++i)
            entries_[i].next = i + 1 < entries_.size() ? static_cast<std::uint32_t>(i + 1) : kNone;
        free_ = static_cast<std::uint32_t>(n);
    }

    Time origin_;
    unsigned shift_; // a slot covers 2^shift_ seconds
    Time base_ = 0;  // start of the first slot, in slots since origin_; always the start of a group
    Bits groups_ = 0;
    std::array<Bits, kGroups> slots_{};
    std::array<std::uint32_t, kFar> head_;
    std::vector<Entry> entries_;
    std::uint32_t free_ = kNone;
    std::vector<Entry> far_; // latest first
};

} // namespace slotwise
