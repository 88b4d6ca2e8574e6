#include "planner/ruled/front_scores.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace slotwise {

namespace {

constexpr double kLongestLead = 1e6; // seconds
constexpr std::size_t kPage = ClassPages::kPage;

} // namespace

void FrontScores::set_front(const RequestClasses& classes, Slot slot) {
    lines_.set(slot, classes.front(slot), *order_, *jobs_, classes.pages());
    if (lead_.slot == slot) lead_.slot = kNoSlot;
}

void FrontScores::note_ended(const RequestClasses& classes, Slot slot) {
    if (lead_.slot == slot) lead_.slot = kNoSlot;
    if (classes.moved_from() != slot) note_moved(classes, classes.moved_from(), slot);
}

void FrontScores::note_moved(const RequestClasses& classes, Slot from, Slot to) {
    lines_.move(from, to, classes.pages());
    if (lead_.slot == from) lead_.slot = to;
}

void FrontScores::renew(const RequestClasses& classes) {
    lines_.clear();
    lead_ = {};
    classes.for_each([&](Slot slot) { set_front(classes, slot); });
}

// Raises the tops for classes that were opened, and compares these classes with the leading class.
void FrontScores::follow_changes(RequestClasses& classes) {
    if (classes.changes().is_full()) renew(classes);
    const ClassPages& pages = classes.pages();
    for (const Slot slot : classes.changes().slots()) {
        if (slot >= pages.end() || !classes.has_class(slot)) continue;
        lines_.raise(slot, pages); // includes closed classes, because their gates may open later
        if (slot != lead_.slot && classes.is_open(slot))
            shorten_lead(lines_.value(slot),
                         [&] { return lines_.leads_until(lead_.slot, slot, lead_.doubt); });
    }
    for (const ClassPages::Gate gate : classes.changes().eased_gates())
        for (const ClassPages::Section section : pages.gates().sections_of(gate))
            pages.for_each_page_of(section, [&](ClassPages::PageNumber page) {
                shorten_lead(lines_.top(page), [&] {
                    return lines_.leads_page_until(lead_.slot, page, lead_.doubt);
                });
            });
    classes.changes().forget();
}

// Compares the leading class with other classes. `highest` is the largest value of their lines now.
// until() must return the value of seconds() until which the leading class stays ahead of them.
template <class Until> void FrontScores::shorten_lead(double highest, Until&& until) {
    if (lead_.slot == kNoSlot) return;
    if (lead_.is_noted)
        lead_.until = std::min(lead_.until, until());
    else if (highest >= lines_.value(lead_.slot) - lines_.doubt())
        lead_.slot = kNoSlot;
}

bool FrontScores::is_lead_known(const RequestClasses& classes) const {
    return lead_.slot != kNoSlot && lines_.seconds() <= lead_.until &&
           lines_.doubt() <= lead_.doubt && classes.is_open(lead_.slot);
}

bool FrontScores::keeps_first(RequestClasses& classes) {
    follow_changes(classes);
    if (is_lead_known(classes) && !lead_.is_noted) note_lead(classes);
    if (!is_lead_known(classes)) lead_.slot = kNoSlot;
    return lead_.slot != kNoSlot;
}

// Records for how long the first open class certainly leads. Uses twice the current doubt(),
// because doubt() grows slowly with time. A section is skipped if its top is far below the leading
// line both now and at the end of the lead, because it is then far below it in between as well.
void FrontScores::note_lead(const RequestClasses& classes) {
    const ClassPages& pages = classes.pages();
    const Slot first = lead_.slot;
    lead_ = {first, true, lines_.seconds() + kLongestLead, 2 * lines_.doubt()};
    const auto compare = [&](ClassPages::PageNumber page) {
        if (lines_.leads_page_until(first, page, lead_.doubt) >= lead_.until) return;
        for (unsigned left = pages.open_in(page); left != 0; left &= left - 1) {
            const Slot slot = page * kPage + static_cast<Slot>(std::countr_zero(left));
            if (slot != first)
                lead_.until = std::min(lead_.until, lines_.leads_until(first, slot, lead_.doubt));
        }
    };
    const auto close_at = [&](std::size_t chunk, double seconds) {
        return lines_.sections_from(chunk, seconds, lines_.value_at(first, seconds) - lead_.doubt);
    };
    compare(ClassPages::page_of(first));
    for (std::size_t chunk = 0; chunk < pages.n_sections() && lead_.until >= lines_.seconds();
         chunk += kPage)
        for (unsigned left = close_at(chunk, lines_.seconds()) | close_at(chunk, lead_.until);
             left != 0; left &= left - 1)
            pages.for_each_page_of(static_cast<ClassPages::Section>(chunk) +
                                       static_cast<ClassPages::Section>(std::countr_zero(left)),
                                   compare);
}

// Finds the first open class. Most sections are skipped, because the upper bounds on their scores
// (tops) are below the best score so far.
FrontScores::Slot FrontScores::first(RequestClasses& classes) {
    follow_changes(classes);
    if (is_lead_known(classes)) return lead_.slot;
    const ClassPages& pages = classes.pages();
    Best best;
    for (std::size_t chunk = 0; chunk < pages.n_sections(); chunk += kPage)
        for (unsigned left = lines_.sections_from(chunk, lines_.seconds(), best.least); left != 0;
             left &= left - 1) {
            const auto section = static_cast<ClassPages::Section>(chunk) +
                                 static_cast<ClassPages::Section>(std::countr_zero(left));
            if (!pages.has_section(section) || !pages.is_open(section) ||
                lines_.section_top(section) < best.least)
                continue;
            const Slot before = best.slot;
            pages.for_each_page_of(section, [&](ClassPages::PageNumber page) {
                if (lines_.top(page) >= best.least)
                    compare(classes, page, pages.open_in(page), kMaxDuration, best);
            });
            if (best.slot == before) lines_.renew_section_top(section, pages);
        }
    lead_ = {best.slot, false, lines_.seconds(), lines_.doubt()};
    return best.slot;
}

FrontScores::Slot FrontScores::first_within(RequestClasses& classes, const BackfillBounds& bounds,
                                            Duration longest) {
    follow_changes(classes);
    Best best;
    classes.pages().for_each_page_within(
        bounds,
        [&](ClassPages::Section section) { return lines_.section_top(section) >= best.least; },
        [&](ClassPages::PageNumber page) { return lines_.top(page) >= best.least; },
        [&](ClassPages::PageNumber page, unsigned fitting) {
            return compare(classes, page, fitting, longest, best);
        });
    return best.slot;
}

// Compares some slots of a page with the best class so far. Returns true if one of them is better.
bool FrontScores::compare(const RequestClasses& classes, ClassPages::PageNumber page, unsigned bits,
                          Duration longest, Best& best) {
    const Slot before = best.slot;
    for (unsigned left = bits; left != 0; left &= left - 1) {
        const Slot slot = page * kPage + static_cast<Slot>(std::countr_zero(left));
        if (lines_.value(slot) < best.least || classes.kind(slot).length > longest) continue;
        if (best.slot != kNoSlot && !precedes(classes, slot, best.slot)) continue;
        best = {slot, lines_.value(slot) - lines_.doubt()};
    }
    if (best.slot == before) lines_.note_miss(page, classes.pages());
    return best.slot != before;
}

bool FrontScores::precedes_by_score(JobId one, JobId other) const {
    const std::array<JobId, 2> both{one, other};
    std::array<double, 2> scores{};
    order_->score(*jobs_, both, now_, scores);
    return scores[0] != scores[1] ? scores[0] > scores[1] : one < other;
}

} // namespace slotwise
