#include "planner/ruled/class_pages.hpp"

#include <algorithm>

namespace slotwise {

void ClassPages::clear(bool sectioned, bool mixed) {
    *this = {};
    is_sectioned_ = sectioned;
    is_mixed_ = sectioned && mixed;
}

ClassPages::Slot ClassPages::add(Section section, Gate gate) {
    if (!is_sectioned_) section = 0;
    if (!has_section(section)) make_section(section, gate);
    PageNumber page = sections_[section].last_page;
    if (page == kNone || pages_[page].n == kPage) page = add_page(section);
    return std::size_t{page} * kPage + pages_[page].n++;
}

// Puts a section into use, which has no page yet.
void ClassPages::make_section(Section section, Gate gate) {
    if (section >= sections_.size()) {
        sections_.resize(std::size_t{section} + 1);
        const std::size_t padded = (sections_.size() + kPage - 1) / kPage * kPage;
        least_ranks_.resize(padded, Minima{}.rank);
        least_processors_.resize(padded, Minima{}.processors);
        least_lengths_.resize(padded, Minima{}.length);
        least_of_chunks_.resize(padded / kPage, Minima{}.processors);
        for (std::vector<ProcCount>& step : steps_)
            if (is_mixed_) step.resize(padded, Minima{}.processors);
    }
    if (gate >= gates_.size()) gates_.resize(std::size_t{gate} + 1);
    std::vector<Section>& at_gate = gates_[gate].sections;
    sections_[section] = {kNone,
                          kNone,
                          static_cast<std::uint32_t>(used_.size()),
                          gate,
                          static_cast<std::uint32_t>(at_gate.size()),
                          false};
    used_.push_back(section);
    if (gate != kNoGate) at_gate.push_back(section);
}

ClassPages::PageNumber ClassPages::add_page(Section section) {
    auto page = static_cast<PageNumber>(pages_.size());
    if (free_pages_.empty()) {
        pages_.emplace_back();
        ranks_.resize(end(), Minima{}.rank);
        processors_.resize(end(), Minima{}.processors);
        lengths_.resize(end(), Minima{}.length);
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

// Frees the last page of a section, which has no slot in use.
void ClassPages::free_page(PageNumber page) {
    const Section section = pages_[page].section;
    SectionState& its = sections_[section];
    its.last_page = pages_[page].previous;
    (its.last_page != kNone ? pages_[its.last_page].next : its.first_page) = kNone;
    if (is_sectioned_) {
        free_pages_.push_back(page);
    } else {
        pages_.pop_back();
        ranks_.resize(end());
        processors_.resize(end());
        lengths_.resize(end());
    }
    if (its.last_page == kNone) leave_section(section);
}

void ClassPages::leave_section(Section section) {
    const SectionState& its = sections_[section];
    set_minima(section, {});
    used_[its.place] = used_.back();
    sections_[used_.back()].place = its.place;
    used_.pop_back();
    if (its.gate == kNoGate) return;
    std::vector<Section>& at_gate = gates_[its.gate].sections;
    at_gate[its.place_at_gate] = at_gate.back();
    sections_[at_gate.back()].place_at_gate = its.place_at_gate;
    at_gate.pop_back();
}

ClassPages::Slot ClassPages::remove(Slot slot) {
    const PageNumber page = page_of(slot);
    const PageNumber last = sections_[pages_[page].section].last_page;
    const Slot from = std::size_t{last} * kPage + --pages_[last].n;
    if (from != slot) {
        set(slot, at(from));
        if (is_sectioned_) {
            note_closed(page);
            lower(page, at(slot));
        } else {
            from_ = std::min<std::size_t>(from_, page);
        }
    }
    close(from);
    if (pages_[last].n == 0) free_page(last);
    return from;
}

void ClassPages::set_room(Gate gate, ProcCount room) {
    if (gate >= gates_.size()) gates_.resize(std::size_t{gate} + 1);
    ProcCount& its = gates_[gate].room;
    n_open_gates_ += static_cast<std::size_t>(room > 0);
    n_open_gates_ -= static_cast<std::size_t>(its > 0);
    if (room == 0) gates_[gate].n_vain = 0;
    its = std::min(room, kClosed - 1);
    from_ = 0;
}

// Notes that no page of the section had what was looked for.
void ClassPages::note_vain(Section section, std::uint32_t n_read) {
    if (sections_[section].is_stale) renew_section(section);
    const Gate gate = sections_[section].gate;
    if (gate == kNoGate) return;
    std::size_t n_pages = 0;
    gates_[gate].n_vain += n_read;
    if (gates_[gate].n_vain < kMostVain) return;
    for (const Section each : gates_[gate].sections)
        for_each_page_of(each, [&](PageNumber) { ++n_pages; });
    if (gates_[gate].n_vain > kMostVain * n_pages) overread_gate_ = gate;
}

// Lowers the minima of a page and its section to the values of a slot.
void ClassPages::lower(PageNumber page, const Minima& values) {
    from_ = 0;
    pages_[page].minima.take(values);
    const Section section = pages_[page].section;
    least_ranks_[section] = std::min(least_ranks_[section], values.rank);
    least_processors_[section] = std::min(least_processors_[section], values.processors);
    least_lengths_[section] = std::min(least_lengths_[section], values.length);
    ProcCount& of_chunk = least_of_chunks_[section / kPage];
    of_chunk = std::min(of_chunk, values.processors);
    if (is_mixed_) lower_steps(section, values);
}

void ClassPages::lower_steps(Section section, const Minima& values) {
    if (values.processors == kClosed) return;
    for (std::size_t step = step_of(backfill::biased(static_cast<Duration>(values.length)));
         step < kSteps && steps_[step][section] > values.processors; ++step)
        steps_[step][section] = values.processors;
}

// Notes that a slot of the page was closed, or has another rank.
void ClassPages::note_closed(PageNumber page) {
    pages_[page].is_stale = true;
    sections_[pages_[page].section].is_stale = true;
}

void ClassPages::renew(PageNumber page) {
    Minima minima;
    for (Slot slot = page * kPage; slot < (page + 1) * kPage; ++slot)
        minima.take(at(slot));
    pages_[page].minima = minima;
    pages_[page].is_stale = false;
}

void ClassPages::renew_section(Section section) {
    Minima minima;
    for_each_page_of(section, [&](PageNumber page) {
        if (pages_[page].is_stale) renew(page);
        minima.take(pages_[page].minima);
    });
    set_minima(section, minima);
    sections_[section].is_stale = false;
    if (!is_mixed_) return;
    for_each_page_of(section, [&](PageNumber page) {
        for (Slot slot = page * kPage; slot < (page + 1) * kPage; ++slot)
            lower_steps(section, at(slot));
    });
}

void ClassPages::set_minima(Section section, const Minima& minima) {
    least_ranks_[section] = minima.rank;
    least_processors_[section] = minima.processors;
    least_lengths_[section] = minima.length;
    const auto chunk = least_processors_.begin() + section / kPage * kPage;
    least_of_chunks_[section / kPage] = *std::min_element(chunk, chunk + kPage);
    for (std::vector<ProcCount>& step : steps_)
        if (is_mixed_) step[section] = Minima{}.processors;
}

ClassPages::Slot ClassPages::slot_of(PageNumber page, Value rank) const {
    const Value* ranks = &ranks_[page * kPage];
    const unsigned found = backfill::matching(ranks, ranks, rank, rank);
    return found == 0 ? kNoSlot : page * kPage + static_cast<Slot>(std::countr_zero(found));
}

// Slot of a rank in some page from `from` on, or kNoSlot for kNone.
ClassPages::Slot ClassPages::find(Value rank, PageNumber from) const {
    if (rank == SixteenMinima::kNone) return kNoSlot;
    Slot found = kNoSlot;
    for (PageNumber page = from; found == kNoSlot; ++page)
        found = slot_of(page, rank);
    return found;
}

ClassPages::Slot ClassPages::first_in_pages() const {
    SixteenMinima minima;
    for (PageNumber page = 0; page < pages_.size(); ++page)
        minima.take_smaller(&ranks_[page * kPage]);
    return find(minima.smallest(), 0);
}

ClassPages::Slot ClassPages::first() {
    if (!is_sectioned_) return first_in_pages();
    Value least = SixteenMinima::kNone;
    Slot found = kNoSlot;
    for (std::size_t chunk = 0; chunk < sections_.size(); chunk += kPage) {
        const Value* ranks = &least_ranks_[chunk];
        for (unsigned left = backfill::fitting(ranks, ranks, {least - 1, kMaxDuration, 0});
             left != 0; left &= left - 1) {
            const auto section =
                static_cast<Section>(chunk) + static_cast<Section>(std::countr_zero(left));
            if (least_ranks_[section] >= least || room_of(section) == 0) continue;
            const Slot its = first_in(section);
            if (its == kNoSlot || ranks_[its] >= least) continue;
            least = ranks_[its];
            found = its;
        }
    }
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
                                : least_within(page, all, kMaxDuration);
        if (found >= least) return;
        least = found;
        at = page;
    });
    return least != SixteenMinima::kNone ? slot_of(at, least) : kNoSlot;
}

bool ClassPages::any_within(const BackfillBounds& bounds) {
    if (bounds.free == 0) return false;
    if (!is_sectioned_) {
        PageNumber page = 0;
        const auto n_pages = static_cast<PageNumber>(pages_.size());
        while (page < n_pages && fitting(page, bounds) == 0)
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
            if (pages_[page].minima.may_be_within(within) && fitting(page, within) != 0) {
                from = section;
                return true;
            }
        if (sections_[section].is_stale) renew_section(section);
        return false;
    });
    from_ = from;
    return from < sections_.size();
}

void ClassPages::list_sections_within(const BackfillBounds& bounds,
                                      std::vector<Section>& found) const {
    const ProcCount* early = steps_[step_of(bounds.until_shadow)].data();
    const ProcCount* any = steps_.back().data();
    const ProcCount spare = std::min(bounds.free, bounds.extra);
    for (std::size_t chunk = 0; chunk < sections_.size(); chunk += kPage)
        for (unsigned left = backfill::at_most(early + chunk, bounds.free) |
                             backfill::at_most(any + chunk, spare);
             left != 0; left &= left - 1)
            found.push_back(static_cast<Section>(chunk) +
                            static_cast<Section>(std::countr_zero(left)));
}

// Only a machine with maintenance windows bounds all lengths.
ClassPages::Value ClassPages::least_within(PageNumber page, const BackfillBounds& bounds,
                                           Duration longest) const {
    const Slot begin = page * kPage;
    if (longest == kMaxDuration) {
        SixteenMinima minima;
        minima.take_smaller(&ranks_[begin], &processors_[begin], &lengths_[begin], bounds);
        return minima.smallest();
    }
    Value least = SixteenMinima::kNone;
    for (unsigned found = fitting(page, bounds); found != 0; found &= found - 1) {
        const Slot slot = begin + static_cast<Slot>(std::countr_zero(found));
        if (lengths_[slot] <= backfill::biased(longest)) least = std::min(least, ranks_[slot]);
    }
    return least;
}

ClassPages::Slot ClassPages::first_within(const BackfillBounds& bounds, Duration longest) {
    if (!is_sectioned_ && longest == kMaxDuration) {
        SixteenMinima minima;
        for (auto page = static_cast<PageNumber>(from_); page < pages_.size(); ++page)
            minima.take_smaller(&ranks_[page * kPage], &processors_[page * kPage],
                                &lengths_[page * kPage], bounds);
        return find(minima.smallest(), static_cast<PageNumber>(from_));
    }
    Value least = SixteenMinima::kNone;
    PageNumber at = 0;
    for_each_page_within(
        bounds, [&](Section section) { return least_ranks_[section] < least; },
        [&](PageNumber page) { return !is_sectioned_ || pages_[page].minima.rank < least; },
        [&](PageNumber page, unsigned) {
            const Value found =
                least_within(page, through_gate(pages_[page].section, bounds), longest);
            if (found >= least) return false;
            least = found;
            at = page;
            return true;
        });
    return least != SixteenMinima::kNone ? slot_of(at, least) : kNoSlot;
}

} // namespace slotwise
