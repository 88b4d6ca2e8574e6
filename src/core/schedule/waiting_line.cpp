#include "schedule/waiting_line.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

void WaitingLine::insert(const Entry& entry) {
    const auto precedes = [](const Entry& a, const Entry& b) { return a.key < b.key; };
    const auto at = std::upper_bound(entries_.begin(), entries_.end(), entry, precedes);
    processors_.insert(processors_.begin() + (at - entries_.begin()), entry.processors);
    entries_.insert(at, entry);
}

std::size_t WaitingLine::first_within(std::size_t at, ProcCount processors) const {
    constexpr std::size_t kStride = 8;
    for (; at + kStride <= processors_.size(); at += kStride) {
        unsigned within = 0;
        for (std::size_t i = 0; i < kStride; ++i)
            within |= static_cast<unsigned>(processors_[at + i] <= processors) << i;
        if (within != 0) return at + static_cast<std::size_t>(std::countr_zero(within));
    }
    while (at < processors_.size() && processors_[at] > processors)
        ++at;
    return at;
}

void WaitingLine::note_processors() {
    processors_.resize(entries_.size());
    for (std::size_t at = 0; at < entries_.size(); ++at)
        processors_[at] = entries_[at].processors;
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
    note_processors();
}

} // namespace slotwise
