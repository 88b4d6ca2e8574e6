// The event loop of replays in one pool under rules: the work of Simulator::step() per instant,
// with the pass of RuledPlanner inlined (docs/decisions/0017-classes-of-one-owner.md).
#include "engine/simulator.hpp"
#include "planner/ruled/ruled_pass.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

struct RuledLoop {
    template <bool kFollowsUsage>
    [[gnu::flatten]] static void run(Simulator& at, RuledPlanner& planner,
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
};

// Runs this loop if the planner is RuledPlanner, passes come at every instant, and no event is left
// from before. Returns false otherwise.
bool Simulator::try_ruled_loop(const Progress& progress) {
    auto* planner = dynamic_cast<RuledPlanner*>(scheduler_.get());
    if (planner == nullptr || !ended_.empty() || !arrived_.empty() || due_ != kNever) return false;
    if (jobs_.follows_usage())
        RuledLoop::run<true>(*this, *planner, progress);
    else
        RuledLoop::run<false>(*this, *planner, progress);
    return true;
}

} // namespace slotwise
