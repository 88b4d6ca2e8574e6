// Searches a long queue, stored by size, for jobs that may pass the head.
#pragma once

#include "planner/easy/easy_candidates.hpp"
#include "planner/easy/easy_reservation.hpp"
#include "queue/size_index.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

// Each size has one candidate: its first job that may start. Once that job has been tried, the next
// job of the same size becomes the candidate. At first, only a lower bound on a candidate's rank is
// known. The candidate itself is looked up only once no other candidate has a lower rank or bound.
template <class Rules> class EasySizeSearch {
  public:
    EasySizeSearch(const Rules& rules, const EasyJobs<Rules>& jobs,
                   EasyCandidates<Rules>& candidates, const EasyReservation<Rules>& reservation)
        : rules_(rules), jobs_(&jobs), candidates_(&candidates), reservation_(&reservation) {}

    // Copies the results of the last search, for use with copies of the planner's parts.
    EasySizeSearch(const EasySizeSearch& other, const EasyJobs<Rules>& jobs,
                   EasyCandidates<Rules>& candidates, const EasyReservation<Rules>& reservation)
        : EasySizeSearch(other.rules_, jobs, candidates, reservation) {
        searched_ = other.searched_;
    }

    // Discards the results of the last search, because jobs have arrived or moved since then.
    void forget() { searched_ = {}; }

    // Records that no further waiting job can start in this pass.
    void note_searched();

    // Lowers the bounds stored by the last search, after a single new job has been tried.
    void narrow();

    // Returns false if no job may pass the head. `only_old` must be true if no job has arrived in
    // this pass.
    bool anyone_may_pass(bool only_old);

    // Begins to iterate over the jobs that may start, in backfill order. Call tried() after each
    // next(), until next() returns kNoJob.
    void open(bool only_old);
    JobId next();
    void tried(bool has_started);

    // Appends to `jobs` all jobs that may start.
    void list(bool only_old, std::vector<JobId>& jobs);

  private:
    struct Candidate { // the next job to try among the jobs of one size
        JobId rank;    // backfill rank, or a lower bound until the position is found
        SizeIndex::Size size;
        SizeIndex::Position from;     // position at which to continue; 0 at first
        SizeIndex::Position position; // kNoPosition until it is found
    };
    // The sizes to search. Jobs with sizes in [spare_from, spare_end) may have any length.
    struct Sizes {
        SizeIndex::Size spare_from;
        SizeIndex::Size spare_end;
        SizeIndex::Size from;
        SizeIndex::Size end;
    };
    // The state at the end of the last search, when no waiting job could start. It bounds the next
    // search.
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
    std::size_t next_ = 0; // index in found_ of the candidate that next() returned
};

} // namespace slotwise
