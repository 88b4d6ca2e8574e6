// Slots of job classes, in pages of sixteen that are compared together.
//
// Few classes fill one page after the other, and a search reads every page. Many classes are
// sectioned: the classes of a page belong to one section, for example to similar requests. The
// minima of sections, sixteen compared together, and of pages tell what a search must read.
//
// Example, with pages of two: the fronts of rank 5 (4 processors × 60 s), 7 (5 × 70) and 9 (4 × 80)
// are in the two pages of one section, that of rank 6 (1 × 300) is in another section. The minima
// are (5, 4, 60) and (6, 1, 300). With 2 processors free, only the page of the second section is
// read. A section may have a gate: if its room is 0, the section is not read either.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class ClassPages {
  public:
    using Slot = std::size_t;
    using Section = std::uint32_t;
    using PageNumber = std::uint32_t;
    using Gate = std::uint32_t;
    static constexpr Slot kNoSlot = SIZE_MAX;
    static constexpr Gate kNoGate = 0; // always open
    static constexpr std::size_t kPage = backfill::kGroup;
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    // Removes all slots. `mixed`: sections contain classes of different requests.
    void clear(bool sectioned, bool mixed);
    bool is_sectioned() const { return is_sectioned_; }

    // End of the slots, some of which may be free.
    Slot end() const { return pages_.size() * kPage; }

    // Assigns a slot, which is closed. Without sections, the slots in use are the first ones. All
    // slots of a section have the same gate.
    Slot add(Section section, Gate gate);

    // Frees a slot. Returns the slot whose class must move into it, or the slot itself.
    Slot remove(Slot slot);

    // Opens a slot for the front of a class, or closes it.
    void open(Slot slot, JobId rank, ProcCount processors, Duration length) {
        set(slot, {SixteenMinima::of(rank), processors, backfill::biased(length)});
        if (is_sectioned_)
            lower(page_of(slot), at(slot));
        else
            from_ = std::min<std::size_t>(from_, page_of(slot));
    }
    void close(Slot slot) {
        set(slot, {});
        if (is_sectioned_) note_closed(page_of(slot));
    }
    void set_rank(Slot slot, JobId rank) { // of an open slot
        ranks_[slot] = SixteenMinima::of(rank);
        if (!is_sectioned_) return;
        note_closed(page_of(slot));
        lower(page_of(slot), at(slot));
    }

    // Sets the room of a gate: its slots count as closed if they have more processors.
    void set_room(Gate gate, ProcCount room);
    // True if some gate has room for any job.
    bool any_gate_open() const { return n_open_gates_ > 0; }

    // Open slot of the least rank; kNoSlot: none is open.
    Slot first();
    // The same in one section, if there are sections.
    Slot first_in(Section section);

    // True if an open slot is within the bounds. Later searches skip what is before it.
    bool any_within(const BackfillBounds& bounds);

    // Open slot of the least rank within the bounds and not longer than `longest`, or kNoSlot. The
    // bounds lie within those of the last any_within().
    Slot first_within(const BackfillBounds& bounds, Duration longest);

    // Calls visit(page, bits) for pages with open slots within the bounds, which lie within those
    // of the last any_within(); bit i stands for the slot i of the page. It returns true if it
    // has found what it looks for. Sections and pages that are not wanted are not read.
    template <class WantsSection, class WantsPage, class Visitor>
    void for_each_page_within(const BackfillBounds& bounds, WantsSection&& wants_section,
                              WantsPage&& wants_page, Visitor&& visit);

    // Appends the mixed sections in which an open slot may be within the bounds.
    void list_sections_within(const BackfillBounds& bounds, std::vector<Section>& found) const;
    // False if no open slot of a mixed section is within the bounds.
    bool may_be_within(Section section, const BackfillBounds& bounds) const {
        return steps_[step_of(bounds.until_shadow)][section] <= bounds.free ||
               steps_.back()[section] <= std::min(bounds.free, bounds.extra);
    }
    // The same as for_each_page_within() for one section, if there are sections.
    template <class WantsPage, class Visitor>
    void read_section(Section section, const BackfillBounds& bounds, WantsPage&& wants_page,
                      Visitor&& visit);

    // Calls visit(page) for every page of a section, or without sections for every page.
    template <class Visitor> void for_each_page_of(Section section, Visitor&& visit) const {
        if (section >= sections_.size()) return;
        for (PageNumber page = sections_[section].first_page; page != kNone;
             page = pages_[page].next)
            visit(page);
    }

    // Bits of the open slots of a page; `behind_gate`: also of those that its gate closes.
    unsigned open_in(PageNumber page, bool behind_gate = false) const {
        const ProcCount room = room_of(pages_[page].section);
        return fitting(page, {behind_gate ? kClosed - 1 : room, kMaxDuration, 0});
    }

    // Sections with slots in use, in no particular order; and those of a gate.
    const std::vector<Section>& sections() const { return used_; }
    const std::vector<Section>& sections_of(Gate gate) const { return gates_[gate].sections; }
    std::size_t n_sections() const { return sections_.size(); }
    bool is_open(Section section) const { return room_of(section) > 0; } // its gate
    bool has_section(Section section) const {
        return section < sections_.size() && sections_[section].last_page != kNone;
    }

    // Gate of a section that was read so often without result that its classes had better be moved
    // to other sections; kNoGate: there is none.
    Gate overread_gate() const { return overread_gate_; }
    void forget_overread_gate() { overread_gate_ = kNoGate; }
    // Last slot in use of a section in use.
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
    static constexpr ProcCount kClosed = INT32_MAX;
    static constexpr std::int32_t kLongest = INT32_MAX; // biased
    static constexpr std::size_t kSteps = 16;

    // A closed or free slot has the values of this struct.
    struct Minima {
        Value rank = SixteenMinima::kNone;
        ProcCount processors = kClosed;
        std::int32_t length = kLongest; // biased

        void take(const Minima& other) {
            rank = std::min(rank, other.rank);
            processors = std::min(processors, other.processors);
            length = std::min(length, other.length);
        }
        bool may_be_within(const BackfillBounds& bounds) const {
            return processors <= bounds.free &&
                   (length <= backfill::biased(bounds.until_shadow) || processors <= bounds.extra);
        }
    };
    struct Page {
        PageNumber previous; // of the section
        PageNumber next;
        Section section;
        std::uint32_t n; // slots in use, the first ones
        bool is_stale;   // the minima may be too low
        Minima minima;
    };
    struct SectionState {
        PageNumber first_page = kNone;
        PageNumber last_page = kNone;
        std::uint32_t place = 0; // index in used_
        Gate gate = kNoGate;
        std::uint32_t place_at_gate = 0;
        bool is_stale = false;
    };
    struct GateState {
        ProcCount room = 0;
        std::uint32_t n_vain = 0;      // pages read without result
        std::vector<Section> sections; // empty for kNoGate
    };
    static constexpr std::uint32_t kMostVain = 64; // per page

    // Lengths of one step agree to a power of two, or are below 64 s.
    static std::size_t step_of(Duration length) {
        return static_cast<std::size_t>(
            std::clamp(static_cast<int>(std::bit_width(length)) - 6, 0, int{kSteps} - 1));
    }
    [[gnu::always_inline]] unsigned fitting(PageNumber page, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[page * kPage], &lengths_[page * kPage], bounds);
    }
    unsigned fitting_sections(std::size_t chunk, const BackfillBounds& bounds) const {
        return backfill::fitting(&least_processors_[chunk], &least_lengths_[chunk], bounds);
    }
    template <class Visitor>
    void for_each_section_within(const BackfillBounds& bounds, Visitor&& visit) const;
    ProcCount room_of(Section section) const { return gates_[sections_[section].gate].room; }
    BackfillBounds through_gate(Section section, const BackfillBounds& bounds) const {
        return {std::min(bounds.free, room_of(section)), bounds.until_shadow, bounds.extra};
    }
    Minima at(Slot slot) const { return {ranks_[slot], processors_[slot], lengths_[slot]}; }
    void set(Slot slot, const Minima& values) {
        ranks_[slot] = values.rank;
        processors_[slot] = values.processors;
        lengths_[slot] = values.length;
    }
    void make_section(Section section, Gate gate);
    void leave_section(Section section);
    void note_vain(Section section, std::uint32_t n_read);
    PageNumber add_page(Section section);
    void free_page(PageNumber page);
    void lower(PageNumber page, const Minima& values);
    void lower_steps(Section section, const Minima& values);
    void note_closed(PageNumber page);
    void renew(PageNumber page);
    void renew_section(Section section);
    void set_minima(Section section, const Minima& minima);
    Slot slot_of(PageNumber page, Value rank) const;
    Slot find(Value rank, PageNumber from) const;
    Value least_within(PageNumber page, const BackfillBounds& bounds, Duration longest) const;
    Slot first_in_pages() const;

    bool is_sectioned_ = false;
    bool is_mixed_ = false;
    std::vector<Page> pages_;
    std::vector<PageNumber> free_pages_; // if there are sections
    std::vector<SectionState> sections_;
    std::vector<Section> used_;
    std::vector<GateState> gates_ = {{kClosed - 1, 0, {}}};
    std::size_t n_open_gates_ = 0; // gates with room, without kNoGate
    Gate overread_gate_ = kNoGate;
    std::size_t from_ = 0; // first page to search, or first section if there are sections

    std::vector<Value> ranks_;          // by slot
    std::vector<ProcCount> processors_; // by slot
    std::vector<std::int32_t> lengths_; // by slot, biased

    // By section, padded to chunks of sixteen: the minima of its open slots, or less if it is
    // stale.
    std::vector<Value> least_ranks_;
    std::vector<ProcCount> least_processors_;
    std::vector<std::int32_t> least_lengths_;
    std::vector<ProcCount> least_of_chunks_; // least processors of a chunk
    // By step and section, if sections are mixed: the least processors of the open slots up to this
    // step of lengths, or less if the section is stale.
    std::array<std::vector<ProcCount>, kSteps> steps_;
};

// Calls visit(section) for the sections whose minima are within the bounds, until it returns true.
template <class Visitor>
void ClassPages::for_each_section_within(const BackfillBounds& bounds, Visitor&& visit) const {
    for (std::size_t chunk = from_ / kPage; chunk < least_of_chunks_.size(); ++chunk) {
        if (least_of_chunks_[chunk] > bounds.free) continue;
        for (unsigned left = fitting_sections(chunk * kPage, bounds); left != 0; left &= left - 1) {
            const auto section =
                static_cast<Section>(chunk * kPage) + static_cast<Section>(std::countr_zero(left));
            if (room_of(section) > 0 && visit(section)) return;
        }
    }
}

template <class WantsPage, class Visitor>
void ClassPages::read_section(Section section, const BackfillBounds& bounds, WantsPage&& wants_page,
                              Visitor&& visit) {
    const BackfillBounds within = through_gate(section, bounds);
    bool is_useful = false;
    std::uint32_t n_read = 0;
    for (PageNumber page = sections_[section].first_page; page != kNone; page = pages_[page].next) {
        if (!pages_[page].minima.may_be_within(within) || !wants_page(page)) continue;
        const unsigned bits = fitting(page, within);
        if (bits != 0) is_useful = visit(page, bits) || is_useful;
        ++n_read;
    }
    if (!is_useful) note_vain(section, n_read);
}

template <class WantsSection, class WantsPage, class Visitor>
void ClassPages::for_each_page_within(const BackfillBounds& bounds, WantsSection&& wants_section,
                                      WantsPage&& wants_page, Visitor&& visit) {
    if (!is_sectioned_) {
        for (auto page = static_cast<PageNumber>(from_); page < pages_.size(); ++page)
            if (const unsigned bits = fitting(page, bounds); bits != 0 && wants_page(page))
                visit(page, bits);
        return;
    }
    for_each_section_within(bounds, [&](Section section) {
        if (wants_section(section)) read_section(section, bounds, wants_page, visit);
        return false;
    });
}

} // namespace slotwise
