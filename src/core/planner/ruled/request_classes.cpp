#include "planner/ruled/request_classes.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

namespace {

constexpr ClassPages::Section kShapes = 256;
// An owner with more classes than this gets a gate with several sections, one per shape.
constexpr std::uint32_t kMany = 512;

// Returns a number for the shape of a request. Two requests have the same shape if their processor
// counts have the same number of binary digits, and so do their lengths. All lengths below 64 s
// count as equal.
ClassPages::Section shape_of(ProcCount processors, Duration length) {
    const int wide = std::bit_width(static_cast<std::uint32_t>(processors)) - 1;
    const int late = std::bit_width(length) - 6;
    return static_cast<ClassPages::Section>(std::clamp(wide, 0, 15) * 16 + std::clamp(late, 0, 15));
}

} // namespace

// Returns the section of a class. If the order ranks users, each user has one section. Otherwise,
// the first sections, one per shape, are for classes without a gate. Then comes one section for
// each gate below kNarrowGates, and then one section per shape for each of the other gates.
ClassPages::Section RequestClasses::section_of(const Kind& kind, Gate gate) const {
    if (ranks_users_) return kind.user;
    if (gate != ClassPages::kNoGate && gate < kNarrowGates) return kShapes + gate;
    const Gate wide = gate == ClassPages::kNoGate ? 0 : 2 + gate - kNarrowGates;
    return wide * kShapes + shape_of(kind.processors, kind.length);
}

RequestClasses::Slot RequestClasses::open_class(const Entry& entry, const Owner& owner) {
    if (owner.number != kNoOwner) {
        if (owner.number >= owners_.size()) owners_.resize(std::size_t{owner.number} + 1);
        OwnerState& its = owners_[owner.number];
        its.room = owner.room;
        its.largest = std::max(its.largest, entry.processors);
        if (its.gate != ClassPages::kNoGate) pages_.set_room(its.gate, its.room);
    }
    ++n_classes_;
    behind_[entry.job] = kNoJob;
    return place(entry.job,
                 {entry.job, entry.rank, entry.processors, entry.length, entry.hash, entry.user,
                  owner.is_ready, /*is_shown=*/false},
                 owner.number);
}

// Assigns a slot to a class, and returns the slot.
RequestClasses::Slot RequestClasses::place(JobId front, const Kind& kind, std::uint32_t owner) {
    const Gate gate = gate_of(owner);
    const Slot slot = pages_.add(section_of(kind, gate), gate);
    Kind its = kind;
    its.is_shown = false;
    if (slot >= fronts_.size()) {
        fronts_.resize(pages_.end(), kNoJob);
        kinds_.resize(pages_.end());
        links_.resize(pages_.end());
    }
    fronts_[slot] = front;
    kinds_[slot] = its;
    link(static_cast<std::uint32_t>(slot), owner, gate != ClassPages::kNoGate);
    hints_[its.hash % kHints] = static_cast<std::uint32_t>(slot);
    const bool gated = gate != ClassPages::kNoGate;
    if (its.is_ready && (gated || is_open(slot))) show(slot, true, gated);
    return slot;
}

void RequestClasses::close_class(Slot slot) {
    const std::uint32_t owner = links_[slot].owner;
    if (kinds_[slot].is_shown && !is_gated(slot)) --n_open_;
    --n_classes_;
    unlink(static_cast<std::uint32_t>(slot));
    const Slot from = pages_.remove(slot);
    moved_from_ = from;
    if (slot == first_)
        first_ = kNoSlot;
    else if (from == first_)
        first_ = slot;
    if (slot != from) fill(slot, from);
    fronts_[from] = kNoJob;
    if (owner != kNoOwner && owners_[owner].n_classes == 0) leave_gate(owner);
}

// Moves a class from slot `from` to a free slot of the same section.
void RequestClasses::fill(Slot slot, Slot from) {
    fronts_[slot] = fronts_[from];
    kinds_[slot] = kinds_[from];
    relink(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(slot));
    hints_[kinds_[slot].hash % kHints] = static_cast<std::uint32_t>(slot);
    changes_.note(slot);
}

void RequestClasses::arrange() {
    const std::vector<JobId> fronts = std::exchange(fronts_, {});
    const std::vector<Kind> kinds = std::exchange(kinds_, {});
    const std::vector<Links> links = std::exchange(links_, {});
    pages_.clear(n_classes_ >= n_many_ / 2, ranks_users_);
    for (OwnerState& owner : owners_) {
        const OwnerState before = std::exchange(owner, {});
        owner.room = before.room;
        owner.largest = before.largest;
    }
    owner_of_gate_.clear();
    owner_for_gate_ = kNoOwner;
    n_open_ = 0;
    first_ = kNoSlot;
    changes_.forget();
    for (Slot slot = 0; slot < fronts.size(); ++slot)
        if (fronts[slot] != kNoJob) place(fronts[slot], kinds[slot], links[slot].owner);
}

void RequestClasses::link(std::uint32_t slot, std::uint32_t owner, bool gated) {
    links_[slot] = {owner, kNone, kNone};
    if (owner == kNoOwner) return;
    OwnerState& its = owners_[owner];
    ++its.n_classes;
    if (gated) return;
    links_[slot].next = its.first;
    if (its.first != kNone) links_[its.first].previous = slot;
    its.first = slot;
}

void RequestClasses::unlink(std::uint32_t slot) {
    const auto [owner, previous, next] = links_[slot];
    if (owner == kNoOwner) return;
    --owners_[owner].n_classes;
    if (is_gated(slot)) return;
    (previous != kNone ? links_[previous].next : owners_[owner].first) = next;
    if (next != kNone) links_[next].previous = previous;
}

// Moves the links of a class to another slot.
void RequestClasses::relink(std::uint32_t from, std::uint32_t to) {
    links_[to] = links_[from];
    const auto [owner, previous, next] = links_[to];
    if (owner == kNoOwner || is_gated(to)) return;
    (previous != kNone ? links_[previous].next : owners_[owner].first) = to;
    if (next != kNone) links_[next].previous = to;
}

// Assigns a free gate to an owner. Does nothing if no gate is free.
void RequestClasses::take_gate(std::uint32_t owner) {
    OwnerState& its = owners_[owner];
    const bool is_wide = its.n_classes > kMany;
    const Gate begin = is_wide ? kNarrowGates : 1;
    const Gate end = is_wide ? 2 * kNarrowGates : kNarrowGates;
    if (owner_of_gate_.size() < end) owner_of_gate_.resize(end, kNoOwner);
    for (Gate gate = begin; gate < end; ++gate) {
        if (owner_of_gate_[gate] != kNoOwner) continue;
        owner_of_gate_[gate] = owner;
        its.gate = gate;
        pages_.set_room(gate, its.room);
        return;
    }
}

void RequestClasses::leave_gate(std::uint32_t owner) {
    OwnerState& its = owners_[owner];
    its.n_toggled = 0;
    if (its.gate == ClassPages::kNoGate) return;
    pages_.set_room(its.gate, 0);
    owner_of_gate_[its.gate] = kNoOwner;
    its.gate = ClassPages::kNoGate;
}

// Opens a closed slot, or closes an open one. `gated` is true if the section of the slot has a
// gate.
void RequestClasses::show(Slot slot, bool shown, bool gated) {
    Kind& kind = kinds_[slot];
    kind.is_shown = shown;
    if (!gated) n_open_ += shown ? std::size_t{1} : SIZE_MAX;
    if (shown) {
        pages_.open(slot, kind.rank, kind.processors, kind.length);
        if (first_ != kNoSlot && kind.rank < kinds_[first_].rank && is_open(slot)) first_ = slot;
        changes_.note(slot);
    } else {
        pages_.close(slot);
        if (slot == first_) first_ = kNoSlot;
    }
}

void RequestClasses::set_ready(Slot slot, bool ready) {
    kinds_[slot].is_ready = ready;
    const bool gated = is_gated(slot);
    const bool shown = ready && (gated || is_open(slot));
    if (kinds_[slot].is_shown != shown) show(slot, shown, gated);
}

void RequestClasses::set_room(std::uint32_t owner, ProcCount room) {
    if (owner >= owners_.size()) return; // the owner has never had a class
    OwnerState& its = owners_[owner];
    const ProcCount before = std::exchange(its.room, room);
    if (room == before) return;
    const bool has_gate = its.gate != ClassPages::kNoGate;
    if (has_gate) pages_.set_room(its.gate, room);
    if (std::min(room, before) >= its.largest) return;
    if (has_gate) {
        first_ = kNoSlot;
        if (room > before) changes_.note_eased(its.gate);
        return;
    }
    for (std::uint32_t slot = its.first; slot != kNone; slot = links_[slot].next) {
        const Kind& kind = kinds_[slot];
        const bool shown = kind.is_ready && kind.processors <= room;
        if (kind.is_shown == shown) continue;
        show(slot, shown, /*gated=*/false);
        ++its.n_toggled;
    }
    if (pages_.is_sectioned() && !ranks_users_ &&
        its.n_toggled > kManyToggles * its.n_classes + kFewToggles)
        owner_for_gate_ = owner;
}

} // namespace slotwise
