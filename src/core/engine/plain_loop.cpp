// The event loop of most replays: the work of Simulator::step() per instant, with the pass of the
// EASY planner inlined (docs/decisions/0003-fast-easy.md).
#include "engine/simulator.hpp"
#include "planner/easy/easy_pass.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

template <class Rules>
[[gnu::flatten]] void Simulator::run_plain_loop(EasyPlanner<Rules>& planner,
                                                const Progress& progress) {
    for (unsigned steps = 0;;) {
        const Time end = completions_.next();
        const Time now = std::min(end, next_arrival_);
        if (now == kNever) return;
        now_ = now;
        planner.begin(now, starts_);
        while (completions_.next() == now) {
            planner.end(completions_.pop());
            ++n_ended_;
        }
        if (next_arrival_ != now) {
            planner.plan(true, {});
        } else {
            const JobId first = arrivals_++;
            look_at_next_arrival();
            if (next_arrival_ != now) {
                planner.plan(end == now, {&first, 1});
            } else {
                arrived_.assign(1, first);
                collect_arrivals(now);
                planner.plan(end == now, arrived_);
                arrived_.clear();
            }
        }
        for (const Starts::Start& started : starts_.jobs)
            note_start(started);
        starts_.jobs.clear();
        if (++steps < stride_ || !progress) continue;
        steps = 0;
        report(progress);
    }
}

bool Simulator::try_plain_loop(const Progress& progress) {
    if (!is_plain_replay()) return false;
    const auto run = [&](auto* planner) {
        if (planner == nullptr || !planner->runs_by_parts()) return false;
        run_plain_loop(*planner, progress);
        return true;
    };
    return run(dynamic_cast<EasyPlanner<EasyInTraceOrder>*>(scheduler_.get())) ||
           run(dynamic_cast<EasyPlanner<EasyRules>*>(scheduler_.get()));
}

} // namespace slotwise
