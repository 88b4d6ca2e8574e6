#include "planner/ruled/front_users.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace slotwise {

namespace {

// If at most this many users may have classes within the bounds, first_within() reads the classes
// of these users without sorting the users by usage.
constexpr std::size_t kFewUsers = 8;

} // namespace

void FrontUsers::renew(const RequestClasses& classes) {
    lead_ = {};
    ranking_.clear();
    classes.for_each([&](Slot slot) { ranking_.add(classes.kind(slot).user); });
}

// Calls visit(user, bound) for users with classes, as UsageRanking::for_each() does. Requires that
// classes are in sections.
template <class Visitor>
void FrontUsers::for_each_by_usage(const RequestClasses& classes, Visitor&& visit) {
    ranking_.renew(
        shares_.x(), [&](std::uint32_t user) { return classes.pages().has_section(user); },
        [&](std::uint32_t user) { return shares_.low(user); });
    ranking_.for_each(shares_.x(), visit);
}

// Compares the leading user with the users of classes that were opened, and with users whose usage
// has changed.
void FrontUsers::follow_changes(RequestClasses& classes) {
    if (shares_.has_all_changed()) {
        lead_.front = kNoJob;
        ranking_.forget_bounds();
    }
    if (classes.changes().is_full()) renew(classes);
    for (const Slot slot : classes.changes().slots()) {
        if (slot >= classes.pages().end() || !classes.has_class(slot)) continue;
        ranking_.add(classes.kind(slot).user);
        if (lead_.front != kNoJob && classes.is_open(slot)) compare_lead(classes.kind(slot).user);
    }
    for (const std::uint32_t user : shares_.changed()) {
        if (user == lead_.user) lead_.front = kNoJob;
        if (lead_.front != kNoJob && lead_.is_noted && classes.pages().has_section(user))
            compare_lead(user);
    }
    classes.changes().forget();
    shares_.forget_changes();
}

// Compares the leading user with another user. A job that starts or ends at the current instant
// does not affect usage yet.
void FrontUsers::compare_lead(std::uint32_t user) {
    if (user == lead_.user) return;
    if (lead_.is_noted)
        lead_.until = std::min(lead_.until, shares_.leads_until(lead_.user, user));
    else if (shares_.compare(user, lead_.user) <= 0)
        lead_.front = kNoJob;
}

// Always returns false if there are only a few classes, because searching them again takes less
// time than keeping track of the leading user.
bool FrontUsers::keeps_first(RequestClasses& classes) {
    if (!classes.pages().is_sectioned()) return false;
    follow_changes(classes);
    if (is_lead_known() && !lead_.is_noted) note_lead(classes);
    if (is_lead_known()) {
        const Slot first = classes.pages().first_in(lead_.user);
        if (first != kNoSlot && classes.front(first) == lead_.front) return true;
    }
    lead_.front = kNoJob;
    return false;
}

void FrontUsers::note_lead(RequestClasses& classes) {
    lead_.is_noted = true;
    lead_.until = std::numeric_limits<double>::infinity();
    for_each_by_usage(classes, [&](std::uint32_t user, double bound) {
        if (classes.pages().has_section(user)) compare_lead(user);
        const bool is_over =
            bound > 0 && shares_.leads_decaying_until(lead_.user, bound) >= lead_.until;
        return is_over ? -1.0 : std::numeric_limits<double>::infinity();
    });
}

FrontUsers::Slot FrontUsers::first(RequestClasses& classes) {
    if (!classes.pages().is_sectioned()) {
        classes.changes().forget();
        shares_.forget_changes();
        return find_first(classes);
    }
    follow_changes(classes);
    Slot found = kNoSlot;
    if (is_lead_known()) found = classes.pages().first_in(lead_.user);
    if (found != kNoSlot) {
        lead_.front = classes.front(found);
        return found;
    }
    found = find_first(classes);
    lead_ = {};
    if (found != kNoSlot)
        lead_ = {classes.front(found), classes.kind(found).user, false, shares_.elapsed()};
    return found;
}

// Finds the first open class. Most users are skipped, because they have certainly used more than
// the best user so far.
FrontUsers::Slot FrontUsers::find_first(RequestClasses& classes) {
    Slot found = kNoSlot;
    double most = std::numeric_limits<double>::infinity();
    const auto compare = [&](Slot slot) {
        if (slot == kNoSlot || (found != kNoSlot && !precedes(classes, slot, found))) return;
        found = slot;
        most = shares_.high(classes.kind(slot).user);
    };
    if (classes.pages().is_sectioned()) {
        for_each_by_usage(classes, [&](std::uint32_t user, double) {
            if (classes.pages().has_section(user) && shares_.low(user) <= most)
                compare(classes.pages().first_in(user));
            return most;
        });
    } else {
        classes.pages().for_each_page_of(0, [&](ClassPages::PageNumber page) {
            for (unsigned left = classes.pages().open_in(page); left != 0; left &= left - 1) {
                const Slot slot =
                    page * ClassPages::kPage + static_cast<Slot>(std::countr_zero(left));
                if (shares_.low(classes.kind(slot).user) <= most) compare(slot);
            }
        });
    }
    return found;
}

FrontUsers::Slot FrontUsers::first_within(RequestClasses& classes, const BackfillBounds& bounds,
                                          Duration longest) {
    ClassPages& pages = classes.pages();
    Slot found = kNoSlot;
    const auto compare = [&](ClassPages::PageNumber page, unsigned fitting) {
        for (unsigned left = fitting; left != 0; left &= left - 1) {
            const Slot slot = page * ClassPages::kPage + static_cast<Slot>(std::countr_zero(left));
            if (classes.kind(slot).length <= longest &&
                (found == kNoSlot || precedes(classes, slot, found)))
                found = slot;
        }
        return true;
    };
    const auto any_page = [](ClassPages::PageNumber) { return true; };
    if (!pages.is_sectioned()) {
        pages.for_each_page_within(
            bounds, [](ClassPages::Section) { return true; }, any_page, compare);
        return found;
    }
    double most = std::numeric_limits<double>::infinity();
    const auto read = [&](std::uint32_t user) {
        if (shares_.low(user) > most) return;
        pages.read_section(user, bounds, any_page, compare);
        if (found != kNoSlot) most = shares_.high(classes.kind(found).user);
    };
    users_within_.clear();
    pages.section_minima().list_within(bounds, users_within_);
    if (users_within_.size() <= kFewUsers) {
        for (const std::uint32_t user : users_within_)
            read(user);
        return found;
    }
    for_each_by_usage(classes, [&](std::uint32_t user, double) {
        if (pages.section_minima().may_be_within(user, bounds)) read(user);
        return most;
    });
    return found;
}

} // namespace slotwise
