#include "decisions/observation.hpp"

#include <algorithm>
#include <cmath>

namespace slotwise {

namespace {

constexpr double kHalfDay = 12 * 3600;
constexpr double kAlmostOne = 1 - 1e-5;

double share(double part, double scale) {
    return part / (part + scale);
}

void observe_flat(const DecisionReplay& replay, std::span<float> out) {
    const ReplayJobs& jobs = replay.jobs().columns();
    const double machine = replay.jobs().machine();
    const double longest = replay.jobs().largest().requested_time;
    const Time now = replay.now();
    const ProcCount free = replay.free();
    std::fill(out.begin(), out.end(), 0.0F);
    float* at = out.data();
    for (const JobId job : replay.window()) {
        const ProcCount processors = jobs.processors[job];
        at[0] = static_cast<float>(share(static_cast<double>(now - jobs.submit(job)), kHalfDay));
        at[1] = static_cast<float>(jobs.requested_time[job] / longest);
        at[2] = static_cast<float>(processors / machine);
        at[3] = processors <= free ? 1.0F : 0.0F;
        at[4] = 1.0F;
        at += kFlatFeatures;
    }
    float* last = out.data() + replay.options().window * kFlatFeatures;
    last[0] = static_cast<float>(free / machine);
    last[1] = static_cast<float>(share(static_cast<double>(replay.waiting().size()),
                                       static_cast<double>(replay.options().window)));
    last[2] =
        static_cast<float>(share(static_cast<double>(replay.state().waiting_processors), machine));
}

// Returns a job's value in a column, divided by the column's largest value. An unknown value (-1)
// gives 1, as in RLScheduler.
float related(const auto& column, JobId job, double largest) {
    if (column.empty() || column[job] < 0) return 1.0F;
    return static_cast<float>(std::min(static_cast<double>(column[job]) / largest, kAlmostOne));
}

void observe_rlscheduler(const DecisionReplay& replay, std::span<float> out) {
    const JobTable& table = replay.jobs().table();
    const ReplayJobs& jobs = replay.jobs().columns();
    const LargestValues& largest = replay.jobs().largest();
    const double machine = replay.jobs().machine();
    float* at = out.data();
    for (const JobId job : replay.window()) {
        const auto wait = static_cast<double>(replay.now() - jobs.submit(job));
        const double request = jobs.requested_time[job];
        at[0] = static_cast<float>(std::min(wait / kHalfDay, kAlmostOne));
        at[1] = static_cast<float>(std::min(request / largest.run_time, kAlmostOne));
        at[2] = static_cast<float>(std::min(jobs.processors[job] / machine, kAlmostOne));
        at[3] = related(table.requested_memory, job, largest.memory);
        at[4] = related(table.user, job, largest.user);
        at[5] = related(table.group, job, largest.group);
        at[6] = related(table.executable, job, largest.executable);
        at[7] = static_cast<float>(jobs.processors[job] <= replay.free() ? kAlmostOne : 1e-5);
        at += kRlSchedulerFeatures;
    }
    for (; at != out.data() + out.size(); at += kRlSchedulerFeatures) {
        std::fill(at, at + kRlSchedulerFeatures, 1.0F);
        at[0] = at[7] = 0.0F;
    }
}

// Fills the first `amount` cells of a row. If `amount` is not a whole number, the last of these
// cells is filled only partly.
void add_cells(std::span<float> row, double amount) {
    for (float& cell : row) {
        if (amount <= 0) return;
        cell = static_cast<float>(std::min(1.0, cell + amount));
        amount -= 1;
    }
}

void observe_grid(const DecisionReplay& replay, const ObservationRule& rule, std::span<float> out) {
    const ReplayJobs& jobs = replay.jobs().columns();
    const double cells = static_cast<double>(rule.columns) / replay.jobs().machine();
    const std::size_t plane = rule.rows * rule.columns;
    std::fill(out.begin(), out.end(), 0.0F);
    const auto row = [&](std::size_t picture, std::size_t step) {
        return out.subspan(picture * plane + step * rule.columns, rule.columns);
    };
    for (std::size_t step = 0; step < rule.rows; ++step) {
        const Time begin = replay.now() + static_cast<Time>(step) * rule.seconds;
        ProcCount busy = 0;
        for (const RunningJobs::Running& running : replay.state().running.by_estimate())
            if (std::max(running.estimated_end, replay.now() + 1) > begin)
                busy += running.processors;
        add_cells(row(0, step), busy * cells);
    }
    std::size_t picture = 1;
    for (const JobId job : replay.window()) {
        const Time length = std::max<Time>(jobs.requested_time[job], 1);
        const auto steps = static_cast<std::size_t>((length + rule.seconds - 1) / rule.seconds);
        for (std::size_t step = 0; step < std::min(steps, rule.rows); ++step)
            add_cells(row(picture, step), jobs.processors[job] * cells);
        ++picture;
    }
    const std::size_t beyond = replay.waiting().size() - replay.window().size();
    const std::span<float> backlog = out.subspan((replay.options().window + 1) * plane, plane);
    std::fill_n(backlog.begin(), std::min(beyond, plane), 1.0F);
}

} // namespace

std::size_t ObservationRule::size(std::size_t window) const {
    switch (kind) {
    case Kind::flat:
        return window * kFlatFeatures + kMachineFeatures;
    case Kind::rlscheduler:
        return window * kRlSchedulerFeatures;
    case Kind::grid:
        return (window + 2) * rows * columns;
    default:
        return 0;
    }
}

void observe(const DecisionReplay& replay, const ObservationRule& rule, std::span<float> out) {
    switch (rule.kind) {
    case ObservationRule::Kind::flat:
        return observe_flat(replay, out);
    case ObservationRule::Kind::rlscheduler:
        return observe_rlscheduler(replay, out);
    case ObservationRule::Kind::grid:
        return observe_grid(replay, rule, out);
    default:
        return;
    }
}

void mask_choices(const DecisionReplay& replay, std::span<std::int8_t> out) {
    const std::size_t n = replay.done() ? 0 : std::min(replay.n_choices(), out.size());
    std::fill_n(out.begin(), n, std::int8_t{1});
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(), std::int8_t{0});
}

} // namespace slotwise
