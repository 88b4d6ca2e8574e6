// The event loop of most replays: the work of Simulator::step() per instant, with the pass of the
// EASY planner inlined (docs/decisions/0003-fast-easy.md).
#include "engine/simulator.hpp"
#include "planner/easy/easy_pass.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

struct PlainLoop {
    template <class Rules>
    [[gnu::flatten]] static void run(Simulator& at, EasyPlanner<Rules>& planner,
                                     const Progress& progress) {
        for (unsigned steps = 0;;) {
            const Time end = at.completions_.next();
            const Time now = std::min(end, at.arrivals_.next());
            if (now == kNever) return;
            at.now_ = now;
            planner.begin(now, at.starts_);
            while (at.completions_.next() == now) {
                planner.end(at.completions_.pop());
                ++at.n_ended_;
            }
            if (at.arrivals_.next() != now) {
                planner.plan(true, {});
            } else {
                const JobId first = at.arrivals_.pop();
                if (at.arrivals_.next() != now) {
                    planner.plan(end == now, {&first, 1});
                } else {
                    at.arrived_.assign(1, first);
                    at.collect_arrivals(now);
                    planner.plan(end == now, at.arrived_);
                    at.arrived_.clear();
                }
            }
            for (const Starts::Start& started : at.starts_.jobs)
                at.note_start(started);
            at.starts_.jobs.clear();
            at.meter_.count_step(steps, progress, [&at] { return at.part_done(); });
        }
    }
};

// Runs the plain loop on a plain machine with one pass per instant, if the planner is EASY and no
// event is left from before. Returns false otherwise.
bool Simulator::try_plain_loop(const Progress& progress) {
    const bool is_plain_replay = site_->policy.passes == Passes::per_instant && site_->is_plain() &&
                                 !site_->has_nodes() && !jobs_.follows_usage() && ended_.empty() &&
                                 arrived_.empty() && due_ == kNever;
    if (!is_plain_replay) return false;
    const auto run = [&](auto* planner) {
        if (planner == nullptr || !planner->runs_by_parts()) return false;
        PlainLoop::run(*this, *planner, progress);
        return true;
    };
    return run(dynamic_cast<EasyPlanner<EasyInTraceOrder>*>(scheduler_.get())) ||
           run(dynamic_cast<EasyPlanner<EasyRules>*>(scheduler_.get()));
}

} // namespace slotwise
