// The event loop that is used for most replays. At each instant, it does the same work as
// Simulator::step(), but the scheduling pass of the EASY planner is inlined
// (docs/decisions/0003-fast-easy.md).
#include "engine/simulator.hpp"
#include "planner/easy/easy_pass.hpp"

#include <algorithm>
#include <span>

namespace slotwise {

struct PlainLoop {
    template <class Rules>
    [[gnu::flatten]] static void run(Simulator& at, EasyPlanner<Rules>& planner,
                                     const Progress& progress) {
        StartColumns columns(at.schedule_);
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
                note_start(at, started, columns);
            at.starts_.jobs.clear();
            if (at.meter_.count_step(steps, progress, [&at] { return at.part_done(); }))
                columns = StartColumns(at.schedule_); // progress() may have copied the simulator
        }
    }

    // Pointers to the columns that are written when a job starts. A pointer is null if a copy of
    // the simulator shares the column.
    struct StartColumns {
        explicit StartColumns(ScheduleSoFar& schedule)
            : start(schedule.start.alone()), backfilled(schedule.backfilled.alone()) {}

        Time* start;
        std::uint8_t* backfilled;
    };

    static void note_start(Simulator& at, const Starts::Start& started,
                           const StartColumns& columns) {
        if (columns.start == nullptr || columns.backfilled == nullptr) {
            at.note_start(started);
            return;
        }
        columns.start[started.job] = at.now_;
        columns.backfilled[started.job] = started.past_a_waiting_job ? 1 : 0;
        at.completions_.push(at.now_ + at.jobs_.run_time[started.job], started.job, at.now_);
    }
};

// Runs the plain loop if the site consists only of processors and a policy, each instant has one
// pass, the planner is EASY, and no event is waiting for a pass. Returns false otherwise.
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
