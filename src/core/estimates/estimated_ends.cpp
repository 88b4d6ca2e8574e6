#include "estimates/estimated_ends.hpp"

#include <algorithm>
#include <array>

namespace slotwise {

namespace {

constexpr std::array<Duration, 11> kSteps{60,    300,   900,   1800,   3600,  7200,
                                          18000, 36000, 72000, 180000, 360000};

} // namespace

EstimatedEnds::EstimatedEnds(const ReplayContext& context, const RunTimeEstimates& estimates)
    : context_(&context), corrects_(estimates.can_be_outlived()) {
    if (!corrects_) return;
    end_ = BlockColumn<Time>(context.jobs.size(), kNever);
    turn_ = BlockColumn<std::uint8_t>(context.jobs.size(), 0);
}

void EstimatedEnds::watch(JobId job, Time end) {
    end_.set(job, end);
    turn_.set(job, 0); // a job may start more than once
    by_end_.emplace(end, job);
}

Time EstimatedEnds::corrected(JobId job, Time now) {
    const Time limit = context_->schedule.start[job] + context_->jobs.requested_time[job];
    Time end = end_[job];
    while (end <= now && end < limit) {
        const std::uint8_t turn = turn_[job];
        if (turn == kSteps.size()) {
            end = limit;
            break;
        }
        end = std::min(limit, end + kSteps[turn]);
        turn_.set(job, static_cast<std::uint8_t>(turn + 1));
    }
    return end > now ? end : now + 1;
}

} // namespace slotwise
