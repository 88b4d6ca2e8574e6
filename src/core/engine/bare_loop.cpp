#include "engine/bare_loop.hpp"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace slotwise {

Time run_bare_loop(const JobTable& table) {
    using Completion = std::pair<Time, JobId>;
    std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions;
    Time sum_of_ends = 0;
    const std::size_t n = table.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Time submit = table.submit[i];
        while (!completions.empty() && completions.top().first <= submit) {
            sum_of_ends += completions.top().first;
            completions.pop();
        }
        completions.emplace(submit + table.run_time[i], static_cast<JobId>(i));
    }
    for (; !completions.empty(); completions.pop())
        sum_of_ends += completions.top().first;
    return sum_of_ends;
}

} // namespace slotwise
