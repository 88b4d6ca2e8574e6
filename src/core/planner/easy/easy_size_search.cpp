#include "planner/easy/easy_size_search.hpp"

#include <algorithm>

namespace slotwise {

// Returns the sizes to search. While the head stays the same, its shadow time can only become
// earlier. A job that could not start at the last search can therefore start now only if the number
// of free or extra processors has grown since that search.
template <class Rules>
typename EasySizeSearch<Rules>::Sizes EasySizeSearch<Rules>::sizes_to_search(bool only_old) {
    const SizeIndex& by_size = candidates_->by_size();
    Sizes sizes{0, 0, 0, by_size.sizes_up_to(reservation_->available())};
    sizes.spare_end = rules_.reserves
                          ? std::min(sizes.end, by_size.sizes_up_to(reservation_->spare()))
                          : sizes.end;
    if (rules_.plain && only_old && searched_.head == reservation_->head() &&
        reservation_->shadow() <= searched_.shadow) {
        sizes.from = searched_.available_end;
        sizes.spare_from = std::min(sizes.from, searched_.spare_end);
    }
    sizes.from = std::min(sizes.end, std::max(sizes.from, sizes.spare_end));
    sizes.spare_from = std::min(sizes.spare_from, sizes.spare_end);
    return sizes;
}

template <class Rules> void EasySizeSearch<Rules>::note_searched() {
    const SizeIndex& by_size = candidates_->by_size();
    const SizeIndex::Size available_end = by_size.sizes_up_to(reservation_->available());
    searched_ = {reservation_->head(), reservation_->shadow(), available_end,
                 rules_.reserves ? by_size.sizes_up_to(reservation_->spare()) : available_end};
}

template <class Rules> void EasySizeSearch<Rules>::narrow() {
    const SizeIndex& by_size = candidates_->by_size();
    searched_.available_end =
        std::min(searched_.available_end, by_size.sizes_up_to(reservation_->available()));
    searched_.spare_end = std::min(searched_.spare_end, by_size.sizes_up_to(reservation_->spare()));
}

template <class Rules> bool EasySizeSearch<Rules>::anyone_may_pass(bool only_old) {
    SizeIndex& by_size = candidates_->by_size();
    const Sizes sizes = sizes_to_search(only_old);
    if (by_size.first_size(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength) <
            sizes.spare_end ||
        by_size.first_size(sizes.from, sizes.end, reservation_->longest_before_shadow()) <
            sizes.end)
        return true;
    searched_ = {reservation_->head(), reservation_->shadow(), sizes.end, sizes.spare_end};
    return false;
}

template <class Rules> void EasySizeSearch<Rules>::open(bool only_old) {
    found_.clear();
    const Sizes sizes = sizes_to_search(only_old);
    gather(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength);
    gather(sizes.from, sizes.end, reservation_->longest_before_shadow());
}

template <class Rules>
void EasySizeSearch<Rules>::gather(SizeIndex::Size from, SizeIndex::Size to, Duration longest) {
    const SizeIndex& by_size = candidates_->by_size();
    by_size.for_each_size(from, to, longest, [&](SizeIndex::Size size) {
        const JobId bound = jobs_->backfill_rank_of(by_size.not_before(size, longest));
        found_.push_back({bound, size, 0, SizeIndex::kNoPosition});
    });
}

template <class Rules> JobId EasySizeSearch<Rules>::next() {
    while (!found_.empty()) {
        const auto first = std::min_element(
            found_.begin(), found_.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
        if (first->position != SizeIndex::kNoPosition) {
            next_ = static_cast<std::size_t>(first - found_.begin());
            return candidates_->by_size().job_at(first->position);
        }
        if (locate(*first)) continue;
        *first = found_.back();
        found_.pop_back();
    }
    return kNoJob;
}

// Finds the candidate's position. Returns false if no job of its size may start.
template <class Rules> bool EasySizeSearch<Rules>::locate(Candidate& candidate) {
    SizeIndex& by_size = candidates_->by_size();
    const Duration longest = reservation_->longest_for(by_size.processors_of(candidate.size));
    candidate.position = candidate.from == 0
                             ? by_size.first_of(candidate.size, longest)
                             : by_size.first_in_size(candidate.size, candidate.from, longest);
    if (candidate.position == SizeIndex::kNoPosition) return false;
    candidate.rank = jobs_->backfill_rank_of(by_size.job_at(candidate.position));
    return true;
}

// Replaces the candidate that was just tried with the next job of the same size.
template <class Rules> void EasySizeSearch<Rules>::tried(bool has_started) {
    Candidate& candidate = found_[next_];
    if (!has_started) candidate.from = candidate.position + 1;
    candidate.position = SizeIndex::kNoPosition;
    ++candidate.rank;
    if (has_started) drop_too_large();
}

template <class Rules> void EasySizeSearch<Rules>::drop_too_large() {
    const SizeIndex& by_size = candidates_->by_size();
    const SizeIndex::Size end = by_size.sizes_up_to(reservation_->available());
    std::erase_if(found_, [&](const Candidate& candidate) {
        return candidate.size >= end || by_size.is_empty(candidate.size);
    });
}

template <class Rules> void EasySizeSearch<Rules>::list(bool only_old, std::vector<JobId>& jobs) {
    const Sizes sizes = sizes_to_search(only_old);
    list(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength, jobs);
    list(sizes.from, sizes.end, reservation_->longest_before_shadow(), jobs);
}

template <class Rules>
void EasySizeSearch<Rules>::list(SizeIndex::Size from, SizeIndex::Size to, Duration longest,
                                 std::vector<JobId>& jobs) {
    SizeIndex& by_size = candidates_->by_size();
    for (; (from = by_size.first_size(from, to, longest)) < to; ++from) {
        SizeIndex::Position position = by_size.first_in_size(from, 0, longest);
        for (; position != SizeIndex::kNoPosition;
             position = by_size.first_in_size(from, position + 1, longest))
            jobs.push_back(by_size.job_at(position));
    }
}

template class EasySizeSearch<EasyRules>;
template class EasySizeSearch<EasyInTraceOrder>;

} // namespace slotwise
