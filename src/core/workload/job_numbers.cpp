#include "workload/job_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

JobNumbers::JobNumbers(const JobTable& table) : ids_(&table.job_id) {
    if (std::is_sorted(ids_->begin(), ids_->end())) return;
    rows_.resize(ids_->size());
    std::iota(rows_.begin(), rows_.end(), JobId{0});
    std::stable_sort(rows_.begin(), rows_.end(),
                     [this](JobId a, JobId b) { return (*ids_)[a] < (*ids_)[b]; });
}

std::shared_ptr<const JobNumbers> JobNumbers::if_ascending(const JobTable& table) {
    const auto& ids = table.job_id;
    if (!std::is_sorted(ids.begin(), ids.end())) return nullptr;
    return std::shared_ptr<const JobNumbers>(new JobNumbers(&ids));
}

JobNumbers::Found JobNumbers::find(std::int64_t number) const {
    if (rows_.empty()) {
        const auto [first, last] = std::equal_range(ids_->begin(), ids_->end(), number);
        return {static_cast<JobId>(first - ids_->begin()), static_cast<std::size_t>(last - first)};
    }
    const auto first =
        std::lower_bound(rows_.begin(), rows_.end(), number,
                         [this](JobId row, std::int64_t n) { return (*ids_)[row] < n; });
    const auto last = std::upper_bound(
        first, rows_.end(), number, [this](std::int64_t n, JobId row) { return n < (*ids_)[row]; });
    return {first == rows_.end() ? kNoJob : *first, static_cast<std::size_t>(last - first)};
}

} // namespace slotwise
