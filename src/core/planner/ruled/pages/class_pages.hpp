// The slots of job classes, in pages of sixteen slots that are compared together.
//
// Without sections, pages are filled one after the other, and a search reads all of them. If there
// are many classes, each page belongs to a section, which may hold similar requests, for example.
// The minima of sections and pages then show which of them a search must read.
//
// Example with two slots per page: one section has two pages, whose fronts have ranks 5 (4
// processors × 60 s), 7 (5 × 70 s) and 9 (4 × 80 s). Another section has one page, whose only front
// has rank 6 (1 × 300 s). The minima of rank, processors and length are (5, 4, 60) and (6, 1, 300).
// With 2 processors free, a search reads only the page of the second section. A section may be
// behind a gate (section_gates.hpp). If the room of the gate is 0, the section is not read either.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/ruled/pages/front_minima.hpp"
#include "planner/ruled/pages/section_gates.hpp"
#include "planner/ruled/pages/section_minima.hpp"
#include "planner/ruled/pages/slot_columns.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class ClassPages {
  public:
    using Slot = SlotColumns::Slot;
    using Section = SectionMinima::Section;
    using PageNumber = SlotColumns::PageNumber;
    using Gate = SectionGates::Gate;
    static constexpr Slot kNoSlot = SlotColumns::kNoSlot;
    static constexpr Gate kNoGate = SectionGates::kNoGate;
    static constexpr std::size_t kPage = SlotColumns::kPage;
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    // Removes all slots. If `mixed` is true, each section contains classes of different requests.
    void clear(bool sectioned, bool mixed);
    bool is_sectioned() const { return is_sectioned_; }

    // Returns one more than the highest slot number. Some of the slots below it may be free.
    Slot end() const { return pages_.size() * kPage; }

    // Assigns a slot to a new class, and returns it. The slot is closed. `gate` must be the same
    // for all slots of a section. Without sections, the slots in use are always the first ones.
    Slot add(Section section, Gate gate);

    // Frees a slot. Returns the slot of the class that the caller must move into the freed slot. If
    // there is no such class, returns the freed slot itself.
    Slot remove(Slot slot);

    // open() opens a slot and stores the values of the class's front; close() closes the slot.
    void open(Slot slot, JobId rank, ProcCount processors, Duration length) {
        const FrontMinima front{SixteenMinima::of(rank), processors, backfill::biased(length)};
        slots_.set(slot, front);
        if (is_sectioned_)
            lower(page_of(slot), front);
        else
            from_ = std::min<std::size_t>(from_, page_of(slot));
    }
    void close(Slot slot) {
        slots_.set(slot, {});
        if (is_sectioned_) note_closed(page_of(slot));
    }
    void set_rank(Slot slot, JobId rank) { // the slot must be open
        slots_.set_rank(slot, SixteenMinima::of(rank));
        if (!is_sectioned_) return;
        note_closed(page_of(slot));
        lower(page_of(slot), slots_.at(slot));
    }

    // Sets the room of a gate. A slot behind the gate counts as closed if its front requests more
    // processors than `room`.
    void set_room(Gate gate, ProcCount room) {
        gates_.set_room(gate, room);
        from_ = 0;
    }
    const SectionGates& gates() const { return gates_; }
    // Returns and forgets a gate whose classes should be moved to sections without a gate. Returns
    // kNoGate if there is none.
    Gate take_gate_to_drop() { return gates_.take_gate_to_drop(); }

    // Returns the minima of the sections. They may be too low if a slot was closed.
    const SectionMinima& section_minima() const { return minima_; }

    // Returns the open slot with the smallest rank, or kNoSlot if no slot is open.
    Slot first();
    // Returns the open slot with the smallest rank in one section, or kNoSlot if none is open.
    // Requires that pages belong to sections.
    Slot first_in(Section section);

    // Returns true if any open slot is within the bounds. Later searches skip all pages or sections
    // before the first such slot.
    bool any_within(const BackfillBounds& bounds);

    // Returns the slot with the smallest rank among the open slots that are within the bounds and
    // not longer than `longest`, or kNoSlot if there is none. The bounds must not be wider than
    // those in the last call to any_within().
    Slot first_within(const BackfillBounds& bounds, Duration longest);

    // Calls visit(page, bits) for each page with open slots within the bounds; bit i stands for
    // slot i of the page. The bounds must not be wider than those in the last call to any_within().
    // visit() must return true if it has found a class. Sections and pages for which
    // wants_section() or wants_page() returns false are skipped.
    template <class WantsSection, class WantsPage, class Visitor>
    void for_each_page_within(const BackfillBounds& bounds, WantsSection&& wants_section,
                              WantsPage&& wants_page, Visitor&& visit);

    // Does the same as for_each_page_within(), but for one section. Requires that pages belong to
    // sections.
    template <class WantsPage, class Visitor>
    void read_section(Section section, const BackfillBounds& bounds, WantsPage&& wants_page,
                      Visitor&& visit);

    // Calls visit(page) for every page of a section or, without sections, for every page.
    template <class Visitor> void for_each_page_of(Section section, Visitor&& visit) const {
        if (section >= sections_.size()) return;
        for (PageNumber page = sections_[section].first_page; page != kNone;
             page = pages_[page].next)
            visit(page);
    }

    // Returns the bits of the open slots of a page. With `behind_gate`, these include the slots
    // that count as closed because of the gate.
    unsigned open_in(PageNumber page, bool behind_gate = false) const {
        const ProcCount room = room_of(pages_[page].section);
        return slots_.fitting(page, {behind_gate ? SectionGates::kAnyRoom : room, kMaxDuration, 0});
    }

    // Returns one more than the highest section number. Some of the lower numbers may not be in
    // use.
    std::size_t n_sections() const { return sections_.size(); }
    // Returns false if the gate of the section has no room.
    bool is_open(Section section) const { return room_of(section) > 0; }
    bool has_section(Section section) const {
        return section < sections_.size() && sections_[section].last_page != kNone;
    }

    // Returns the section's last slot that is in use. The section must be in use.
    Slot last_of(Section section) const {
        const PageNumber page = sections_[section].last_page;
        return std::size_t{page} * kPage + pages_[page].n - 1;
    }

    static PageNumber page_of(Slot slot) { return static_cast<PageNumber>(slot / kPage); }
    Gate gate_of(Slot slot) const { return sections_[pages_[page_of(slot)].section].gate; }
    Section section_of(PageNumber page) const { return pages_[page].section; }
    std::size_t n_pages() const { return pages_.size(); }

  private:
    using Value = SixteenMinima::Value;

    struct Page {
        PageNumber previous; // previous page of the section
        PageNumber next;
        Section section;
        std::uint32_t n; // the first n slots are in use
        bool is_stale;   // the minima may be too low
        FrontMinima minima;
    };
    struct SectionState {
        PageNumber first_page = kNone;
        PageNumber last_page = kNone;
        Gate gate = kNoGate;
        bool is_stale = false; // the minima may be too low
    };

    template <class Visitor>
    void for_each_section_within(const BackfillBounds& bounds, Visitor&& visit) const;
    ProcCount room_of(Section section) const { return gates_.room(sections_[section].gate); }
    BackfillBounds through_gate(Section section, const BackfillBounds& bounds) const {
        return {std::min(bounds.free, room_of(section)), bounds.until_shadow, bounds.extra};
    }
    void make_section(Section section, Gate gate);
    void leave_section(Section section);
    void note_misses(Section section, std::uint32_t n_read);
    PageNumber add_page(Section section);
    void free_page(PageNumber page);
    void lower(PageNumber page, const FrontMinima& values);
    void note_closed(PageNumber page);
    void renew_section(Section section);
    Slot first_in_pages() const;

    bool is_sectioned_ = false;
    SlotColumns slots_;
    std::vector<Page> pages_;
    std::vector<PageNumber> free_pages_; // pages that are not in use, if there are sections
    std::vector<SectionState> sections_;
    SectionMinima minima_;
    SectionGates gates_;
    std::size_t from_ = 0; // first page to search, or first section if there are sections
};

// Calls visit(section) for each section whose minima are within the bounds and whose gate has room.
// Stops when a call returns true.
template <class Visitor>
void ClassPages::for_each_section_within(const BackfillBounds& bounds, Visitor&& visit) const {
    minima_.for_each_within(
        bounds, from_, [&](Section section) { return room_of(section) > 0 && visit(section); });
}

template <class WantsPage, class Visitor>
void ClassPages::read_section(Section section, const BackfillBounds& bounds, WantsPage&& wants_page,
                              Visitor&& visit) {
    const BackfillBounds within = through_gate(section, bounds);
    bool is_useful = false;
    std::uint32_t n_read = 0;
    for (PageNumber page = sections_[section].first_page; page != kNone; page = pages_[page].next) {
        if (!pages_[page].minima.may_be_within(within) || !wants_page(page)) continue;
        const unsigned bits = slots_.fitting(page, within);
        if (bits != 0) is_useful = visit(page, bits) || is_useful;
        ++n_read;
    }
    if (!is_useful) note_misses(section, n_read);
}

template <class WantsSection, class WantsPage, class Visitor>
void ClassPages::for_each_page_within(const BackfillBounds& bounds, WantsSection&& wants_section,
                                      WantsPage&& wants_page, Visitor&& visit) {
    if (!is_sectioned_) {
        for (auto page = static_cast<PageNumber>(from_); page < pages_.size(); ++page)
            if (const unsigned bits = slots_.fitting(page, bounds); bits != 0 && wants_page(page))
                visit(page, bits);
        return;
    }
    for_each_section_within(bounds, [&](Section section) {
        if (wants_section(section)) read_section(section, bounds, wants_page, visit);
        return false;
    });
}

} // namespace slotwise
