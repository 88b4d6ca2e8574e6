// Scores of class fronts, stored as lines, under an order with linear scores (order.hpp). Each page
// of classes, and each section, has a line that is above all of its fronts from now on, its top.
//
// Example: a front submitted at 4 scores 2 + 3·wait. At 10 its line is at 20. The scores themselves
// decide between fronts whose lines are closer than doubt(). If the other front of its page is at
// 23 and grows by 1 per second, the top of the page is at 23 and grows by 3.
#pragma once

#include "order/order.hpp"
#include "planner/ruled/pages/class_pages.hpp"
#include "types.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace slotwise {

// Columns by slot, by page and by section. Every class has a line.
class FrontLines {
  public:
    using Slot = ClassPages::Slot;

    void clear(); // removes all lines; the doubt remains

    // Sets the line of the class in this slot of the pages.
    void set(Slot slot, JobId front, const Order& order, const ReplayJobs& jobs,
             const ClassPages& pages);

    // Copies the line of a class that has moved to another slot.
    void move(Slot from, Slot to, const ClassPages& pages);

    // Raises the tops to the line of a class which was opened.
    void raise(Slot slot, const ClassPages& pages);

    // Sets the instant of the values.
    void set_now(const ReplayJobs& jobs, Time now) {
        seconds_ = static_cast<double>(now - jobs.first_submit);
    }
    double seconds() const { return seconds_; } // since the first submit time of the trace

    double value(Slot slot) const { return lines_[slot].at(seconds_); }
    double value_at(Slot slot, double seconds) const { return lines_[slot].at(seconds); }
    double top(ClassPages::PageNumber page) const { return tops_[page].at(seconds_); }
    double section_top(ClassPages::Section section) const {
        return section_at_zero_[section] + section_slopes_[section] * seconds_;
    }

    // Records that a search found no class of the page as high as its top. After some misses, the
    // top is lowered.
    void note_miss(ClassPages::PageNumber page, const ClassPages& pages) {
        if (++n_misses_[page] % kMissesPerRenewal == 0) renew_top(page, pages);
    }

    // Lowers the top of a page, or of all pages of a section, to the lines of its open slots.
    // Slots behind a gate count as open.
    void renew_top(ClassPages::PageNumber page, const ClassPages& pages);
    void renew_section_top(ClassPages::Section section, const ClassPages& pages);

    // Bits of the sections, sixteen from `chunk` on, whose top is at `least` or above at these
    // seconds().
    unsigned sections_from(std::size_t chunk, double seconds, double least) const;

    // Time, in seconds(), until which the line of one class is above that of another by more than
    // `lead`: before now if it is not above now, and infinity if it stays above.
    double leads_until(Slot one, Slot other, double lead) const {
        return stays_above(one, lines_[other], lead);
    }
    // The same for the top of a page.
    double leads_page_until(Slot one, ClassPages::PageNumber page, double lead) const {
        return stays_above(one, tops_[page], lead);
    }

    // True if the class precedes a job that is not in these lines, by the lines alone.
    bool is_above(Slot slot, JobId job, const Order& order, const ReplayJobs& jobs) const;

    // Lines this close may belong to equal scores: twice the band around the widest line so far.
    double doubt() const { return doubt_at_zero_ + doubt_slope_ * seconds_; }

  private:
    struct Line { // value at the first submit time of the trace, and growth per second
        double at_zero;
        double slope;
        double at(double seconds) const { return at_zero + slope * seconds; }
    };
    static constexpr Line kBelowAll{-std::numeric_limits<double>::infinity(), 0};

    static constexpr std::uint8_t kMissesPerRenewal = 8;

    void set(Slot slot, const Line& line, const ClassPages& pages);
    Line above_both(const Line& one, const Line& other) const;
    double stays_above(Slot one, const Line& other, double lead) const;

    std::vector<Line> lines_;            // by slot
    std::vector<Line> tops_;             // by page
    std::vector<std::uint8_t> n_misses_; // by page
    // By section, padded to chunks of sixteen.
    std::vector<double> section_at_zero_;
    std::vector<double> section_slopes_;
    double seconds_ = 0;
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
