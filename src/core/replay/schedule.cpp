#include "replay/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace slotwise {

std::vector<Attempt> attempts_of(const Schedule& schedule) {
    std::vector<Attempt> rows = schedule.interrupted;
    std::vector<std::uint32_t> number;
    for (const Attempt& attempt : rows) {
        number.resize(schedule.start.size());
        number[attempt.job] = std::max(number[attempt.job], attempt.number);
    }
    for (std::size_t job = 0; job < schedule.start.size(); ++job) {
        const auto state = static_cast<State>(schedule.state[job]);
        if (state != State::completed && state != State::killed) continue;
        Attempt last;
        last.job = static_cast<JobId>(job);
        last.number = number.empty() ? 1 : number[job] + 1;
        last.pool = schedule.pool.empty() ? PoolId{0} : static_cast<PoolId>(schedule.pool[job]);
        last.start = schedule.start[job];
        last.end = schedule.end[job];
        last.reason = state == State::killed ? EndReason::killed : EndReason::completed;
        rows.push_back(last);
    }
    if (schedule.interrupted.empty()) return rows; // already in job order
    std::sort(rows.begin(), rows.end(), [](const Attempt& a, const Attempt& b) {
        return std::tie(a.job, a.number) < std::tie(b.job, b.number);
    });
    return rows;
}

} // namespace slotwise
