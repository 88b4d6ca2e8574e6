// The event loop for replays whose planner is a RuledPlanner. At each instant, it does the same
// work as Simulator::step(), but the scheduling pass of RuledPlanner is inlined
// (docs/decisions/0025-promises-under-limits.md).
#include "engine/ruled_loop.hpp"

#include "planner/ruled/ruled_pass.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

template <bool kFollowsUsage>
[[gnu::flatten]] void RuledLoop::run(Simulator& at, RuledPlanner& planner,
                                     const Progress& progress) {
    for (unsigned steps = 0;;) {
        const Time now = std::min({at.completions_.next(), at.arrivals_.next(), at.due_});
        if (now == kNever) return;
        at.now_ = now;
        planner.begin(now, at.starts_);
        while (at.completions_.next() == now) {
            const JobId job = at.completions_.pop();
            if (kFollowsUsage) at.jobs_.note_end(job, now);
            planner.end(job);
            ++at.n_ended_;
        }
        const bool any_arrived = at.arrivals_.next() == now;
        planner.follow(any_arrived);
        if (any_arrived) at.collect_arrivals(now);
        planner.plan(at.arrived_);
        at.due_ = planner.finish();
        at.arrived_.clear();
        for (const Starts::Start& started : at.starts_.jobs) {
            at.note_start(started);
            if (kFollowsUsage) at.jobs_.note_start(started.job, now);
        }
        at.starts_.jobs.clear();
        at.meter_.count_step(steps, progress, [&at] { return at.part_done(); });
    }
}

bool RuledLoop::try_run(Simulator& at, const Progress& progress) {
    auto* planner = dynamic_cast<RuledPlanner*>(at.scheduler_.get());
    const bool is_pending = !at.ended_.empty() || !at.arrived_.empty() || at.due_ != kNever;
    if (planner == nullptr || is_pending) return false;
    if (at.jobs_.follows_usage())
        run<true>(at, *planner, progress);
    else
        run<false>(at, *planner, progress);
    return true;
}

} // namespace slotwise
