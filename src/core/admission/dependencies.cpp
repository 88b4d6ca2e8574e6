#include "admission/dependencies.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace slotwise {

namespace {

constexpr Time kBeginning = std::numeric_limits<Time>::min();

} // namespace

Dependencies::Dependencies(const ReplayJobs& jobs, const DependencyLists* lists,
                           const std::vector<std::uint8_t>& is_rejected) {
    DependencyLinks found = dependency_links(*jobs.table, lists);
    if (!found.any()) return;
    const std::size_t n = jobs.size();
    open_at_.assign(n, kBeginning);
    ready_.assign(n, kBeginning);
    n_open_.assign(n, 0);
    is_over_.assign(n, 0);
    Links links;
    links.first.assign(n + 1, 0);
    const auto for_each_link = [&](auto&& visit) {
        for (JobId job = 0; job < n; ++job)
            for (const DependencyLinks::Link& link : found.of(job))
                if (is_rejected[link.before] == 0) visit(job, link);
    };
    for_each_link(
        [&](JobId, const DependencyLinks::Link& link) { ++links.first[link.before + 1]; });
    for (std::size_t job = 0; job < n; ++job)
        links.first[job + 1] += links.first[job];
    links.followers.resize(links.first[n]);
    std::vector<std::uint32_t> next(links.first.begin(), links.first.end() - 1);
    for_each_link([&](JobId job, const DependencyLinks::Link& link) {
        links.followers[next[link.before]++] = {job, link.kind};
        ++n_open_[job];
    });
    add_groups(found, is_rejected, links);
    for (const std::int64_t seconds : jobs.table->think_time)
        links.think_time.push_back(std::max<Time>(seconds, 0));
    for (std::size_t job = 0; job < n; ++job)
        if (n_open_[job] > 0) open_at_[job] = kNever;
    links_ = std::make_shared<const Links>(std::move(links));
}

void Dependencies::add_groups(DependencyLinks& found, const std::vector<std::uint8_t>& is_rejected,
                              Links& links) {
    links.groups = std::move(found.groups);
    links.group_of = std::move(found.group_of);
    links.is_singleton = std::move(found.is_singleton);
    front_.assign(links.groups.size(), 0);
    for (std::vector<JobId>& group : links.groups) {
        std::erase_if(group, [&](JobId job) { return is_rejected[job] != 0; });
        for (std::size_t at = 1; at < group.size(); ++at)
            if (links.is_singleton[group[at]] != 0) ++n_open_[group[at]];
    }
}

bool Dependencies::is_met(DependencyLinks::Kind kind, JobEnding ending) {
    using Kind = DependencyLinks::Kind;
    if (ending == JobEnding::turned_away) return true;
    switch (kind) {
    case Kind::after_ok:
        return ending == JobEnding::succeeded;
    case Kind::after_not_ok:
        return ending != JobEnding::succeeded;
    case Kind::preceding:
        return ending != JobEnding::withdrawn;
    default:
        return true;
    }
}

JobId Dependencies::next_of_group(JobId job) {
    if (links_->groups.empty() || links_->group_of[job] < 0) return kNoJob;
    const auto number = static_cast<std::size_t>(links_->group_of[job]);
    const std::vector<JobId>& group = links_->groups[number];
    std::size_t& front = front_[number];
    const std::size_t before = front;
    while (front < group.size() && is_over_[group[front]] != 0)
        ++front;
    if (front == before || front == group.size() || links_->is_singleton[group[front]] == 0)
        return kNoJob;
    return group[front];
}

} // namespace slotwise
