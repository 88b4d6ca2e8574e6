#include "engine/eligible_arrivals.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace slotwise {

namespace {

// Rows of the jobs that each job depends on; the row itself where there is none.
std::vector<std::size_t> rows_depended_on(const JobTable& table) {
    std::vector<std::size_t> found(table.size());
    std::iota(found.begin(), found.end(), std::size_t{0});
    if (table.preceding_job.empty()) return found;
    std::unordered_map<std::int64_t, std::size_t> by_id;
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto before = by_id.find(table.preceding_job[row]);
        if (table.preceding_job[row] >= 0 && before != by_id.end()) found[row] = before->second;
        by_id[table.job_id.empty() ? static_cast<std::int64_t>(row) + 1 : table.job_id[row]] = row;
    }
    return found;
}

template <class Value>
void put_back(const std::vector<Value>& from, const std::vector<std::size_t>& rows,
              std::vector<Value>& to) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[rows[i]] = from[i];
}

} // namespace

EligibleArrivals::EligibleArrivals(const JobTable& table, bool dependencies_count) {
    const std::size_t n = table.size();
    bool any_later = false;
    for (std::size_t row = 0; row < table.eligible.size() && !any_later; ++row)
        any_later = table.eligible[row] > table.submit[row];
    if (!any_later) return;
    JobTable moved = table;
    std::vector<std::size_t> before(n);
    std::iota(before.begin(), before.end(), std::size_t{0});
    if (dependencies_count) before = rows_depended_on(table);
    for (std::size_t row = 0; row < n; ++row) {
        // A job stays behind the one that it depends on, which arrives when it is eligible.
        moved.submit[row] = before[row] == row
                                ? std::max(table.submit[row], table.eligible[row])
                                : std::max(table.submit[row], moved.submit[before[row]]);
        if (!moved.wait.empty() && moved.wait[row] >= 0)
            moved.wait[row] = std::max<std::int64_t>(
                0, table.wait[row] - (moved.submit[row] - table.submit[row]));
    }
    moved.eligible.clear();
    rows_.resize(n);
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    std::stable_sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
        return moved.submit[a] < moved.submit[b];
    });
    table_ = std::make_shared<const JobTable>(take(moved, rows_));
}

Schedule EligibleArrivals::in_log_order(const Schedule& schedule) const {
    Schedule made = schedule;
    put_back(schedule.start, rows_, made.start);
    put_back(schedule.end, rows_, made.end);
    put_back(schedule.state, rows_, made.state);
    put_back(schedule.backfilled, rows_, made.backfilled);
    put_back(schedule.reject_reason, rows_, made.reject_reason);
    put_back(schedule.queue, rows_, made.queue);
    put_back(schedule.pool, rows_, made.pool);
    const std::vector<JobId> row_of(rows_.begin(), rows_.end());
    made.places = JobPlaces(schedule.places.size());
    for (std::size_t i = 0; i < schedule.places.size(); ++i)
        made.places.set(row_of[i], schedule.places.of(static_cast<JobId>(i)));
    if (!schedule.placements.empty())
        made.placements = Placements(schedule.placements, rows_.size(), row_of);
    for (Schedule::Span& span : made.spans)
        span.job = row_of[span.job];
    for (Attempt& attempt : made.interrupted)
        attempt.job = row_of[attempt.job];
    return made;
}

Site EligibleArrivals::site_of_rows(const Site& site) const {
    Site moved = site;
    if (!site.has_nodes()) return moved;
    JobDemands demands = *site.demands;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        demands.kind_of[i] = site.demands->kind_of[rows_[i]];
    moved.demands = std::make_shared<const JobDemands>(std::move(demands));
    return moved;
}

} // namespace slotwise
