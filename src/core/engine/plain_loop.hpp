// The event loop of most replays: what Simulator::run() does instant by instant, with the planner's
// pass inlined.
#pragma once

#include "engine/simulator.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

// Planner is a Scheduler whose pass(instant, starts) is begin(now, starts), end(job) for each job
// that has ended, and plan(any_ended, arrived).
template <class Planner>
[[gnu::flatten]] void Simulator::run_instants(Planner& planner, const Progress& progress) {
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

} // namespace slotwise
