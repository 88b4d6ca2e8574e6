#include "planner/ruled/pages/class_pages.hpp"

#include <algorithm>

namespace slotwise {

void ClassPages::clear(bool sectioned, bool mixed) {
    *this = {};
    is_sectioned_ = sectioned;
    minima_ = SectionMinima(sectioned && mixed);
}

ClassPages::Slot ClassPages::add(Section section, Gate gate) {
    if (!is_sectioned_) section = 0;
    if (!has_section(section)) make_section(section, gate);
    PageNumber page = sections_[section].last_page;
    if (page == kNone || pages_[page].n == kPage) page = add_page(section);
    return std::size_t{page} * kPage + pages_[page].n++;
}

// Sets up a section that does not have a page yet.
void ClassPages::make_section(Section section, Gate gate) {
    if (section >= sections_.size()) {
        sections_.resize(std::size_t{section} + 1);
        minima_.grow(sections_.size());
    }
    sections_[section] = {kNone, kNone, gate, false};
    gates_.add(gate, section);
}

ClassPages::PageNumber ClassPages::add_page(Section section) {
    auto page = static_cast<PageNumber>(pages_.size());
    if (free_pages_.empty()) {
        pages_.emplace_back();
        slots_.resize(end());
    } else {
        page = free_pages_.back();
        free_pages_.pop_back();
    }
    SectionState& its = sections_[section];
    pages_[page] = {its.last_page, kNone, section, 0, false, {}};
    (its.last_page != kNone ? pages_[its.last_page].next : its.first_page) = page;
    its.last_page = page;
    return page;
}

// Frees the last page of a section. The page must have no slot in use.
void ClassPages::free_page(PageNumber page) {
    const Section section = pages_[page].section;
    SectionState& its = sections_[section];
    its.last_page = pages_[page].previous;
    (its.last_page != kNone ? pages_[its.last_page].next : its.first_page) = kNone;
    if (is_sectioned_) {
        free_pages_.push_back(page);
    } else {
        pages_.pop_back();
        slots_.resize(end());
    }
    if (its.last_page == kNone) leave_section(section);
}

void ClassPages::leave_section(Section section) {
    minima_.set(section, {});
    gates_.remove(sections_[section].gate, section);
}

ClassPages::Slot ClassPages::remove(Slot slot) {
    const PageNumber page = page_of(slot);
    const PageNumber last = sections_[pages_[page].section].last_page;
    const Slot from = std::size_t{last} * kPage + --pages_[last].n;
    if (from != slot) {
        slots_.set(slot, slots_.at(from));
        if (is_sectioned_) {
            note_closed(page);
            lower(page, slots_.at(slot));
        } else {
            from_ = std::min<std::size_t>(from_, page);
        }
    }
    close(from);
    if (pages_[last].n == 0) free_page(last);
    return from;
}

// Records that a search read `n_read` pages of the section without finding a class.
void ClassPages::note_misses(Section section, std::uint32_t n_read) {
    if (sections_[section].is_stale) renew_section(section);
    const Gate gate = sections_[section].gate;
    gates_.note_misses(gate, n_read, [&] {
        std::size_t n_pages = 0;
        for (const Section each : gates_.sections_of(gate))
            for_each_page_of(each, [&](PageNumber) { ++n_pages; });
        return n_pages;
    });
}

// Lowers the minima of a page and of its section where the values of a slot are lower.
void ClassPages::lower(PageNumber page, const FrontMinima& values) {
    from_ = 0;
    pages_[page].minima.take(values);
    minima_.lower(pages_[page].section, values);
}

// Records that a slot of the page was closed or got another rank.
void ClassPages::note_closed(PageNumber page) {
    pages_[page].is_stale = true;
    sections_[pages_[page].section].is_stale = true;
}

// Sets the minima of a section and of its pages to the minima of their open slots.
void ClassPages::renew_section(Section section) {
    FrontMinima minima;
    for_each_page_of(section, [&](PageNumber number) {
        Page& page = pages_[number];
        if (page.is_stale) page.minima = slots_.minima_of(number);
        page.is_stale = false;
        minima.take(page.minima);
    });
    minima_.set(section, minima);
    sections_[section].is_stale = false;
    if (!minima_.is_mixed()) return;
    for_each_page_of(section, [&](PageNumber page) {
        for (Slot slot = page * kPage; slot < (page + 1) * kPage; ++slot)
            minima_.lower_steps(section, slots_.at(slot));
    });
}

ClassPages::Slot ClassPages::first_in_pages() const {
    SixteenMinima minima;
    for (PageNumber page = 0; page < pages_.size(); ++page)
        slots_.take_ranks(page, minima);
    return slots_.find(minima.smallest(), 0);
}

ClassPages::Slot ClassPages::first() {
    if (!is_sectioned_) return first_in_pages();
    Value least = SixteenMinima::kNone;
    Slot found = kNoSlot;
    minima_.for_each_below(least, [&](Section section) {
        if (minima_.rank(section) >= least || room_of(section) == 0) return;
        const Slot its = first_in(section);
        if (its == kNoSlot || slots_.rank(its) >= least) return;
        least = slots_.rank(its);
        found = its;
    });
    return found;
}

ClassPages::Slot ClassPages::first_in(Section section) {
    if (section >= sections_.size()) return kNoSlot;
    if (sections_[section].is_stale) renew_section(section);
    Value least = SixteenMinima::kNone;
    PageNumber at = 0;
    const BackfillBounds all{room_of(section), kMaxDuration, 0};
    for_each_page_of(section, [&](PageNumber page) {
        if (pages_[page].minima.rank >= least) return;
        const Value found = sections_[section].gate == kNoGate
                                ? pages_[page].minima.rank
                                : slots_.least_within(page, all, kMaxDuration);
        if (found >= least) return;
        least = found;
        at = page;
    });
    return least != SixteenMinima::kNone ? slots_.slot_of(at, least) : kNoSlot;
}

bool ClassPages::any_within(const BackfillBounds& bounds) {
    if (bounds.free == 0) return false;
    if (!is_sectioned_) {
        PageNumber page = 0;
        const auto n_pages = static_cast<PageNumber>(pages_.size());
        while (page < n_pages && slots_.fitting(page, bounds) == 0)
            ++page;
        from_ = page;
        return page < n_pages;
    }
    from_ = 0;
    std::size_t from = sections_.size();
    for_each_section_within(bounds, [&](Section section) {
        const BackfillBounds within = through_gate(section, bounds);
        for (PageNumber page = sections_[section].first_page; page != kNone;
             page = pages_[page].next)
            if (pages_[page].minima.may_be_within(within) && slots_.fitting(page, within) != 0) {
                from = section;
                return true;
            }
        if (sections_[section].is_stale) renew_section(section);
        return false;
    });
    from_ = from;
    return from < sections_.size();
}

ClassPages::Slot ClassPages::first_within(const BackfillBounds& bounds, Duration longest) {
    if (!is_sectioned_ && longest == kMaxDuration) {
        SixteenMinima minima;
        for (auto page = static_cast<PageNumber>(from_); page < pages_.size(); ++page)
            slots_.take_ranks(page, bounds, minima);
        return slots_.find(minima.smallest(), static_cast<PageNumber>(from_));
    }
    Value least = SixteenMinima::kNone;
    PageNumber at = 0;
    for_each_page_within(
        bounds, [&](Section section) { return minima_.rank(section) < least; },
        [&](PageNumber page) { return !is_sectioned_ || pages_[page].minima.rank < least; },
        [&](PageNumber page, unsigned) {
            const Value found =
                slots_.least_within(page, through_gate(pages_[page].section, bounds), longest);
            if (found >= least) return false;
            least = found;
            at = page;
            return true;
        });
    return least != SixteenMinima::kNone ? slots_.slot_of(at, least) : kNoSlot;
}

} // namespace slotwise
