// Search of a long queue, kept by size, for jobs that may pass the head.
#pragma once

#include "planner/easy/easy_candidates.hpp"
#include "planner/easy/easy_reservation.hpp"
#include "queue/size_index.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

// One candidate per size is open, the first of its size that may start; one that has started is
// followed by the next of its size. A candidate is looked for only once its lower bound comes
// first.
template <class Rules> class EasySizeSearch {
  public:
    EasySizeSearch(const Rules& rules, const EasyJobs<Rules>& jobs,
                   EasyCandidates<Rules>& candidates, const EasyReservation<Rules>& reservation)
        : rules_(rules), jobs_(&jobs), candidates_(&candidates), reservation_(&reservation) {}

    // With the memory of `other`.
    EasySizeSearch(const EasySizeSearch& other, const EasyJobs<Rules>& jobs,
                   EasyCandidates<Rules>& candidates, const EasyReservation<Rules>& reservation)
        : EasySizeSearch(other.rules_, jobs, candidates, reservation) {
        searched_ = other.searched_;
    }

    // Jobs have arrived, or moved in, that the last search did not look at.
    void forget() { searched_ = {}; }

    // No waiting job may start any more.
    void note_searched();

    // A job that arrived was tried by itself: the last search holds for less.
    void narrow();

    // `only_old`: no job has arrived in this pass. False where nobody may pass the head.
    bool anyone_may_pass(bool only_old);

    // Jobs that may start, in backfill order: next() until it gives kNoJob, after each tried().
    void open(bool only_old);
    JobId next();
    void tried(bool has_started);

    // Appends all jobs that may start to `jobs`.
    void list(bool only_old, std::vector<JobId>& jobs);

  private:
    struct Candidate { // the next of its size to try
        JobId rank;    // in the backfill order; a lower bound where the position is not known
        SizeIndex::Size size;
        SizeIndex::Position from;     // 0, or where the search goes on
        SizeIndex::Position position; // kNoPosition: to be found
    };
    struct Sizes { // in which a waiting job may start, of any length below spare_end
        SizeIndex::Size spare_from;
        SizeIndex::Size spare_end;
        SizeIndex::Size from;
        SizeIndex::Size end;
    };
    // No waiting job could start when the last search ended; what held then bounds the next one.
    struct Searched {
        JobId head = kNoJob;
        Time shadow = kNever;
        SizeIndex::Size available_end = 0;
        SizeIndex::Size spare_end = 0;
    };

    Sizes sizes_to_search(bool only_old);
    void gather(SizeIndex::Size from, SizeIndex::Size to, Duration longest);
    bool locate(Candidate& candidate);
    void drop_too_large();
    void list(SizeIndex::Size from, SizeIndex::Size to, Duration longest, std::vector<JobId>& jobs);

    [[no_unique_address]] Rules rules_;
    const EasyJobs<Rules>* jobs_;
    EasyCandidates<Rules>* candidates_;
    const EasyReservation<Rules>* reservation_;
    Searched searched_;
    std::vector<Candidate> found_;
    std::size_t next_ = 0; // of found_, the candidate that next() gave
};

} // namespace slotwise
