#include "engine/arrivals/eligible_arrivals.hpp"

#include "workload/dependency_links.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace slotwise {

namespace {

// Returns the arrival time of each job of a log. A job never arrives earlier than the jobs on which
// it depends.
std::vector<Time> arrivals_of(const JobTable& table, const Site& site) {
    const std::size_t n = table.size();
    std::vector<Time> arrival = table.submit;
    const DependencyLinks links = site.dependencies
                                      ? dependency_links(table, site.dependency_lists.get())
                                      : DependencyLinks{};
    std::vector<Time> latest(links.groups.size(), kNotStarted);
    for (JobId row = 0; row < n; ++row) {
        bool depends = !links.of(row).empty();
        for (const DependencyLinks::Link& link : links.of(row))
            arrival[row] = std::max(arrival[row], arrival[link.before]);
        Time* last = nullptr;
        if (!links.groups.empty() && links.group_of[row] >= 0)
            last = &latest[static_cast<std::size_t>(links.group_of[row])];
        if (last != nullptr && links.is_singleton[row] != 0 && *last != kNotStarted) {
            depends = true;
            arrival[row] = std::max(arrival[row], *last);
        }
        if (!depends) arrival[row] = std::max(arrival[row], table.eligible[row]);
        if (last != nullptr) *last = std::max(*last, arrival[row]);
    }
    return arrival;
}

template <class Value>
void put_back(const std::vector<Value>& from, const std::vector<JobId>& rows,
              std::vector<Value>& to) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[rows[i]] = from[i];
}

} // namespace

EligibleArrivals::EligibleArrivals(const std::shared_ptr<const JobTable>& table, const Site& site) {
    const std::size_t n = table->size();
    bool any_later = false;
    for (std::size_t row = 0; row < table->eligible.size() && !any_later; ++row)
        any_later = table->eligible[row] > table->submit[row];
    if (!any_later) return;
    JobTable moved = *table;
    moved.submit = arrivals_of(*table, site);
    for (std::size_t row = 0; row < n && !moved.wait.empty(); ++row)
        if (moved.wait[row] >= 0)
            moved.wait[row] = std::max<std::int64_t>(
                0, table->wait[row] - (moved.submit[row] - table->submit[row]));
    moved.eligible.clear();
    std::vector<std::size_t> rows(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return moved.submit[a] < moved.submit[b];
    });
    JobTable sorted = take(moved, rows);
    sorted.log = std::make_shared<const LogOrder>(
        LogOrder{table, std::vector<JobId>(rows.begin(), rows.end())});
    table_ = std::make_shared<const JobTable>(std::move(sorted));
}

Site EligibleArrivals::site_of_rows(const Site& site) const {
    Site moved = site;
    if (!site.has_nodes()) return moved;
    JobDemands demands = *site.demands;
    for (std::size_t i = 0; i < rows().size(); ++i)
        demands.kind_of[i] = site.demands->kind_of[rows()[i]];
    moved.demands = std::make_shared<const JobDemands>(std::move(demands));
    return moved;
}

Schedule in_log_order(const Schedule& schedule, const std::vector<JobId>& rows) {
    Schedule made = schedule;
    put_back(schedule.start, rows, made.start);
    put_back(schedule.end, rows, made.end);
    put_back(schedule.state, rows, made.state);
    put_back(schedule.backfilled, rows, made.backfilled);
    put_back(schedule.reject_reason, rows, made.reject_reason);
    put_back(schedule.queue, rows, made.queue);
    put_back(schedule.pool, rows, made.pool);
    const JobPlaces places = schedule.whole_nodes
                                 ? schedule.whole_nodes->of(schedule.start, schedule.end)
                                 : std::move(made.places);
    made.whole_nodes = nullptr;
    made.places = JobPlaces(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        made.places.set(rows[i], places.of(static_cast<JobId>(i)));
    if (!schedule.placements.empty())
        made.placements = Placements(schedule.placements, rows.size(), rows);
    for (Schedule::Span& span : made.spans)
        span.job = rows[span.job];
    for (Attempt& attempt : made.interrupted)
        attempt.job = rows[attempt.job];
    return made;
}

Schedule starts_by_arrival(const Schedule& schedule, const EligibleArrivals& arrivals) {
    const std::vector<JobId> row_of = inverse(arrivals.rows());
    Schedule made;
    put_back(schedule.start, row_of, made.start);
    made.interrupted = schedule.interrupted;
    for (Attempt& attempt : made.interrupted)
        attempt.job = row_of[attempt.job];
    return made;
}

std::vector<JobId> inverse(const std::vector<JobId>& rows) {
    std::vector<JobId> row_of(rows.size());
    for (JobId row = 0; row < rows.size(); ++row)
        row_of[rows[row]] = row;
    return row_of;
}

} // namespace slotwise
