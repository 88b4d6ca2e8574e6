#include "admission/array_limits.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace slotwise {

bool has_array_limits(const JobTable& table) {
    return !table.array_id.empty() &&
           std::any_of(table.array_limit.begin(), table.array_limit.end(),
                       [](std::int64_t most) { return most > 0; });
}

ArrayLimits::ArrayLimits(const JobTable& table) {
    if (!has_array_limits(table)) return;
    std::vector<Task> tasks(table.size());
    std::unordered_map<std::int64_t, std::uint32_t> number_of;
    for (JobId job = 0; job < tasks.size(); ++job) {
        if (table.array_id[job] < 0) continue;
        tasks[job].array =
            number_of.try_emplace(table.array_id[job], static_cast<std::uint32_t>(number_of.size()))
                .first->second;
        const std::int64_t most = table.array_limit[job];
        tasks[job].most = most > 0 ? most : std::numeric_limits<std::int64_t>::max();
    }
    running_.assign(number_of.size(), 0);
    tasks_ = std::make_shared<const std::vector<Task>>(std::move(tasks));
}

bool ArrayLimits::count(JobId job, int sign) {
    if (!any() || (*tasks_)[job].array == kNone) return false;
    running_[(*tasks_)[job].array] += sign;
    return true;
}

} // namespace slotwise
