#include "schedule/waiting_line.hpp"

#include <algorithm>

namespace slotwise {

void WaitingLine::insert(const Entry& entry) {
    const auto precedes = [](const Entry& a, const Entry& b) { return a.key < b.key; };
    entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, precedes), entry);
}

void WaitingLine::sort_at(Time now, const QueueOrders& orders, const ReplayJobs& jobs) {
    struct Scored {
        double score;
        Entry entry;
    };
    std::vector<Scored> scored;
    std::vector<JobId> which;
    std::vector<double> scores;
    for (auto from = entries_.begin(); from != entries_.end();) {
        const auto to = std::find_if(from, entries_.end(), [&](const Entry& entry) {
            return !entry.key.same_group(from->key);
        });
        if (const Order* order = orders.drifting(from->key.group)) {
            which.clear();
            for (auto entry = from; entry != to; ++entry)
                which.push_back(entry->job);
            scores.assign(which.size(), 0.0);
            order->score(jobs, which, now, scores);
            scored.clear();
            for (std::size_t i = 0; i < which.size(); ++i)
                scored.push_back({scores[i], from[static_cast<std::ptrdiff_t>(i)]});
            std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
                return a.score != b.score ? a.score > b.score : a.entry.job < b.entry.job;
            });
            std::transform(scored.begin(), scored.end(), from,
                           [](const Scored& s) { return s.entry; });
        }
        from = to;
    }
}

} // namespace slotwise
