#include "workload/job_table.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace slotwise {

namespace {

void require(bool holds, const char* column, std::size_t row, std::int64_t value,
             const char* rule) {
    if (holds) return;
    throw std::invalid_argument(std::string(column) + "[" + std::to_string(row) + "] is " +
                                std::to_string(value) + "; " + rule);
}

} // namespace

void check(const JobTable& table) {
    const std::size_t n = table.size();
    for_each_column(table, [&](const char* name, const auto& column) {
        const bool required = &column == static_cast<const void*>(&table.submit) ||
                              &column == static_cast<const void*>(&table.run_time) ||
                              &column == static_cast<const void*>(&table.requested_time) ||
                              &column == static_cast<const void*>(&table.processors);
        if (column.size() == n || (column.empty() && !required)) return;
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(column.size()) +
                                    " values and submit has " + std::to_string(n) +
                                    "; give every column one value per job");
    });
    constexpr auto longest = static_cast<std::int64_t>(kMaxDuration);
    constexpr auto widest = static_cast<std::int64_t>(std::numeric_limits<ProcCount>::max());
    for (std::size_t i = 0; i < n; ++i) {
        require(table.submit[i] >= 0 && table.submit[i] <= kMaxTime, "submit", i, table.submit[i],
                "it must lie between 0 and 2^53 seconds");
        require(i == 0 || table.submit[i] >= table.submit[i - 1], "submit", i, table.submit[i],
                "rows must be sorted by submit");
        require(table.run_time[i] >= 0 && table.run_time[i] <= longest, "run_time", i,
                table.run_time[i], "it must lie between 0 and 2^32 - 2 seconds");
        require(table.requested_time[i] >= 0 && table.requested_time[i] <= longest,
                "requested_time", i, table.requested_time[i],
                "it must lie between 0 and 2^32 - 2 seconds");
        require(table.processors[i] > 0 && table.processors[i] <= widest, "processors", i,
                table.processors[i], "it must lie between 1 and 2^31 - 1");
    }
}

JobTable take(const JobTable& table, const std::vector<std::size_t>& rows) {
    std::vector<std::size_t> sorted = rows;
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
        return table.submit[a] < table.submit[b];
    });
    JobTable out;
    for_each_member([&](const char*, auto member) {
        const auto& from = table.*member;
        auto& to = out.*member;
        if (from.empty()) return;
        to.resize(sorted.size());
        for (std::size_t i = 0; i < sorted.size(); ++i)
            to[i] = from[sorted[i]];
    });
    return out;
}

} // namespace slotwise
