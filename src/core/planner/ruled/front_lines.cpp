#include "planner/ruled/front_lines.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

namespace {

constexpr double kRounding =
    1e-13; // rounding changes a score by less than this fraction of its terms

} // namespace

void FrontLines::clear() {
    lines_.clear();
    tops_.clear();
    n_misses_.clear();
    section_at_zero_.clear();
    section_slopes_.clear();
}

void FrontLines::set(Slot slot, JobId front, const Order& order, const ReplayJobs& jobs,
                     const ClassPages& pages) {
    const LinearScore line = order.line(jobs, front);
    const double before =
        line.per_second * static_cast<double>(jobs.submit(front) - jobs.first_submit);
    doubt_at_zero_ = std::max(doubt_at_zero_, 2 * kRounding * (line.size + before));
    doubt_slope_ = std::max(doubt_slope_, 2 * kRounding * line.per_second);
    set(slot, {line.at_submit - before, line.per_second}, pages);
}

void FrontLines::move(Slot from, Slot to, const ClassPages& pages) {
    const ScoreLine line = lines_[from];
    set(to, line, pages);
}

void FrontLines::set(Slot slot, const ScoreLine& line, const ClassPages& pages) {
    if (lines_.size() < pages.end()) {
        lines_.resize(pages.end(), kBelowAll);
        tops_.resize(pages.n_pages(), kBelowAll);
        n_misses_.resize(pages.n_pages(), 0);
    }
    constexpr std::size_t kChunk = ClassPages::kPage;
    if (const std::size_t padded = (pages.n_sections() + kChunk - 1) / kChunk * kChunk;
        section_slopes_.size() < padded) {
        section_at_zero_.resize(padded, kBelowAll.at_zero);
        section_slopes_.resize(padded, kBelowAll.slope);
    }
    lines_[slot] = line;
    raise(slot, pages);
}

void FrontLines::raise(Slot slot, const ClassPages& pages) {
    const ClassPages::PageNumber page = ClassPages::page_of(slot);
    const ClassPages::Section section = pages.section_of(page);
    tops_[page] = above_both(tops_[page], lines_[slot]);
    const ScoreLine top =
        above_both({section_at_zero_[section], section_slopes_[section]}, lines_[slot]);
    section_at_zero_[section] = top.at_zero;
    section_slopes_[section] = top.slope;
}

// Returns a line that lies above both lines from now on. It has the larger of the two slopes, and
// the larger of the two current values.
FrontLines::ScoreLine FrontLines::above_both(const ScoreLine& one, const ScoreLine& other) const {
    if (one.slope == other.slope) return {std::max(one.at_zero, other.at_zero), one.slope};
    const double slope = std::max(one.slope, other.slope);
    return {std::max(one.at(seconds_), other.at(seconds_)) - slope * seconds_, slope};
}

void FrontLines::renew_top(ClassPages::PageNumber page, const ClassPages& pages) {
    ScoreLine top = kBelowAll;
    for (unsigned open = pages.open_in(page, /*behind_gate=*/true); open != 0; open &= open - 1)
        top = above_both(
            top, lines_[page * ClassPages::kPage + static_cast<Slot>(std::countr_zero(open))]);
    tops_[page] = top;
}

void FrontLines::renew_section_top(ClassPages::Section section, const ClassPages& pages) {
    ScoreLine top = kBelowAll;
    pages.for_each_page_of(section, [&](ClassPages::PageNumber page) {
        renew_top(page, pages);
        top = above_both(top, tops_[page]);
    });
    section_at_zero_[section] = top.at_zero;
    section_slopes_[section] = top.slope;
}

unsigned FrontLines::sections_from(std::size_t chunk, double seconds, double least) const {
    unsigned found = 0;
#if defined(__SSE2__)
    const __m128d at = _mm_set1_pd(seconds);
    const __m128d bound = _mm_set1_pd(least);
    for (std::size_t i = 0; i < ClassPages::kPage; i += 2) {
        const __m128d slopes = _mm_loadu_pd(&section_slopes_[chunk + i]);
        const __m128d values =
            _mm_add_pd(_mm_loadu_pd(&section_at_zero_[chunk + i]), _mm_mul_pd(slopes, at));
        found |= static_cast<unsigned>(_mm_movemask_pd(_mm_cmpge_pd(values, bound))) << i;
    }
#else
    for (std::size_t i = 0; i < ClassPages::kPage; ++i) {
        const double value = section_at_zero_[chunk + i] + section_slopes_[chunk + i] * seconds;
        found |= static_cast<unsigned>(value >= least) << i;
    }
#endif
    return found;
}

double FrontLines::stays_above(Slot one, const ScoreLine& other, double lead) const {
    const double spare = value(one) - other.at(seconds_) - lead;
    if (spare <= 0) return -std::numeric_limits<double>::infinity();
    const double approach = other.slope - lines_[one].slope;
    return approach <= 0 ? std::numeric_limits<double>::infinity() : seconds_ + spare / approach;
}

bool FrontLines::is_above(Slot slot, JobId job, const Order& order, const ReplayJobs& jobs) const {
    const LinearScore line = order.line(jobs, job);
    const double wait = seconds_ - static_cast<double>(jobs.submit(job) - jobs.first_submit);
    const double its_doubt = 2 * kRounding * (line.size + line.per_second * seconds_);
    return value(slot) - (line.at_submit + line.per_second * wait) > std::max(doubt(), its_doubt);
}

} // namespace slotwise
