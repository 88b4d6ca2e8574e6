// The scores of class fronts, stored as lines, for orders with linear scores (order.hpp). Each page
// of classes, and each section, also has a line called its top. The top is never below the line of
// any front in the page or section, now or later.
//
// Example: a front submitted at time 4 has the score 2 + 3 · wait, so the value of its line at time
// 10 is 20. The line of another front in the same page is at 23 and grows by 1 per second. The top
// of the page is therefore at 23 and grows by 3 per second. If two lines are at most doubt() apart,
// the scores themselves must be compared.
#pragma once

#include "order/order.hpp"
#include "planner/ruled/pages/class_pages.hpp"
#include "types.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace slotwise {

// The line of each class front, by slot, and the top of each page and of each section.
class FrontLines {
  public:
    using Slot = ClassPages::Slot;

    void clear(); // removes all lines; doubt() does not change

    void set(Slot slot, JobId front, const Order& order, const ReplayJobs& jobs,
             const ClassPages& pages);

    // Copies the line of a class that has moved to another slot.
    void move(Slot from, Slot to, const ClassPages& pages);

    // Raises the tops of the page and section to at least the line of a class that was opened.
    void raise(Slot slot, const ClassPages& pages);

    void set_now(const ReplayJobs& jobs, Time now) {
        seconds_ = static_cast<double>(now - jobs.first_submit);
    }
    double seconds() const { return seconds_; } // seconds since the first submit time of the trace

    double value(Slot slot) const { return lines_[slot].at(seconds_); }
    double value_at(Slot slot, double seconds) const { return lines_[slot].at(seconds); }
    double top(ClassPages::PageNumber page) const { return tops_[page].at(seconds_); }
    double section_top(ClassPages::Section section) const {
        return section_at_zero_[section] + section_slopes_[section] * seconds_;
    }

    // Records that a search read the page but found no better class there. The top of the page is
    // renewed after every kMissesPerRenewal such misses.
    void note_miss(ClassPages::PageNumber page, const ClassPages& pages) {
        if (++n_misses_[page] % kMissesPerRenewal == 0) renew_top(page, pages);
    }

    // Lowers the top of a page, or the tops of a section and all its pages, as far as the lines of
    // the open slots permit. Slots behind a gate count as open.
    void renew_top(ClassPages::PageNumber page, const ClassPages& pages);
    void renew_section_top(ClassPages::Section section, const ClassPages& pages);

    // Examines the sixteen sections from `chunk` onwards. Returns the bits of those whose top, at
    // the time `seconds`, is at least `least`.
    unsigned sections_from(std::size_t chunk, double seconds, double least) const;

    // Returns the value of seconds() until which the line of class `one` remains above the line of
    // class `other` by more than `lead`. Returns minus infinity if the lead is not that large now,
    // and infinity if it always remains that large.
    double leads_until(Slot one, Slot other, double lead) const {
        return stays_above(one, lines_[other], lead);
    }
    // Does the same for the line of a class and the top of a page.
    double leads_page_until(Slot one, ClassPages::PageNumber page, double lead) const {
        return stays_above(one, tops_[page], lead);
    }

    // Returns true if the lines alone show that the class precedes `job`, which must not be in any
    // class yet.
    bool is_above(Slot slot, JobId job, const Order& order, const ReplayJobs& jobs) const;

    // Returns twice the largest rounding error of any line so far. If the distance between two
    // lines is no larger than this, the lines do not show which score is higher.
    double doubt() const { return doubt_at_zero_ + doubt_slope_ * seconds_; }

  private:
    // A score: its value at the first submit time of the trace, and its growth per second.
    struct ScoreLine {
        double at_zero;
        double slope;
        double at(double seconds) const { return at_zero + slope * seconds; }
    };
    static constexpr ScoreLine kBelowAll{-std::numeric_limits<double>::infinity(), 0};

    static constexpr std::uint8_t kMissesPerRenewal = 8;

    void set(Slot slot, const ScoreLine& line, const ClassPages& pages);
    ScoreLine above_both(const ScoreLine& one, const ScoreLine& other) const;
    double stays_above(Slot one, const ScoreLine& other, double lead) const;

    std::vector<ScoreLine> lines_;       // indexed by slot
    std::vector<ScoreLine> tops_;        // indexed by page
    std::vector<std::uint8_t> n_misses_; // indexed by page
    // The tops of the sections. The two arrays are indexed by section and padded to chunks of
    // sixteen.
    std::vector<double> section_at_zero_;
    std::vector<double> section_slopes_;
    double seconds_ = 0;
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
