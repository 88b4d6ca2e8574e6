#include "planner/easy/easy_reservation.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// The longest delay that the `relaxed` rule may add to a shadow time. It equals kMaxTime (2^53), so
// sums of several such values do not overflow.
constexpr double kLongestDelay = 9007199254740992.0;

} // namespace

template <class Rules>
EasyReservation<Rules>::EasyReservation(const ReplayContext& context, const Rules& rules,
                                        const EasyJobs<Rules>& jobs)
    : context_(&context), jobs_(&jobs), rules_(rules), free_(context.processors),
      releases_(context.jobs.first_submit, horizon_of(context.jobs.requested_time)) {}

template <class Rules>
EasyReservation<Rules>::EasyReservation(const EasyReservation& other, const ReplayContext& context,
                                        const EasyJobs<Rules>& jobs)
    : EasyReservation(other) {
    context_ = &context;
    jobs_ = &jobs;
}

template <class Rules> void EasyReservation<Rules>::reserve() {
    if (!rules_.reserves) return;
    if (reserved_for_ == head_ && !is_stale_) return;
    const std::int64_t need = jobs_->processors(head_);
    if (reserved_for_ != head_ || !rules_.fixed_deadline) {
        reach(need);
        if (rules_.relaxes) {
            const Time since = shadow_.time - context_->jobs.submit(head_);
            shadow_.time += static_cast<Time>(
                std::min(rules_.relaxation * static_cast<double>(since), kLongestDelay));
        }
    }
    if (rules_.fixed_deadline) shadow_.extra = free_ + releases_.released_by(shadow_.time) - need;
    reserved_for_ = head_;
    is_stale_ = false;
}

// Sets the shadow time to the earliest time from now on at which `need` processors will be free
// according to the estimates. A running job's estimated end may lie in the past if its actual end
// at this instant has not been handled yet.
template <class Rules> void EasyReservation<Rules>::reach(std::int64_t need) {
    const Releases::Point reached = releases_.reaching(need - free_);
    shadow_.time = std::max(reached.time, now_);
    const std::int64_t released =
        reached.time < now_ ? releases_.released_by(now_) : reached.released;
    shadow_.extra = free_ + released - need;
}

template class EasyReservation<EasyRules>;
template class EasyReservation<EasyInTraceOrder>;

} // namespace slotwise
