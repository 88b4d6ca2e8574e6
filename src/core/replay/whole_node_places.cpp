#include "replay/whole_node_places.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

namespace slotwise {

namespace {

// Idle nodes as runs that are not adjacent: begin and end.
class IdleRuns {
  public:
    explicit IdleRuns(std::int32_t nodes) : runs_{{0, nodes}} {}

    void take_lowest(std::int32_t nodes, std::vector<Place>& places) {
        while (nodes > 0) {
            const auto [begin, end] = *runs_.begin();
            const std::int32_t taken = std::min(nodes, end - begin);
            for (std::int32_t node = begin; node < begin + taken; ++node)
                places.push_back({node, 1});
            runs_.erase(runs_.begin());
            if (begin + taken < end) runs_.emplace(begin + taken, end);
            nodes -= taken;
        }
    }

    void give_back(std::span<const Place> places) {
        for (std::size_t i = 0; i < places.size();) {
            const std::int32_t begin = places[i].node;
            std::int32_t end = begin;
            for (; i < places.size() && places[i].node == end; ++i)
                ++end;
            join(begin, end);
        }
    }

  private:
    void join(std::int32_t begin, std::int32_t end) {
        auto next = runs_.lower_bound(begin);
        if (next != runs_.end() && next->first == end) {
            end = next->second;
            next = runs_.erase(next);
        }
        if (next != runs_.begin() && std::prev(next)->second == begin)
            std::prev(next)->second = end;
        else
            runs_.emplace(begin, end);
    }

    std::map<std::int32_t, std::int32_t> runs_;
};

} // namespace

JobPlaces WholeNodePlaces::of(std::span<const Time> start, std::span<const Time> end) const {
    std::vector<JobId> started;
    for (JobId job = 0; job < start.size(); ++job)
        if (start[job] != kNotStarted) started.push_back(job);
    std::stable_sort(started.begin(), started.end(),
                     [&](JobId a, JobId b) { return start[a] < start[b]; });
    using End = std::pair<Time, JobId>;
    std::priority_queue<End, std::vector<End>, std::greater<>> running;
    JobPlaces places(start.size());
    IdleRuns idle(nodes);
    std::vector<Place> taken;
    for (const JobId job : started) {
        for (; !running.empty() && running.top().first <= start[job]; running.pop())
            idle.give_back(places.of(running.top().second));
        taken.clear();
        idle.take_lowest(units[job], taken);
        places.set(job, taken);
        running.emplace(end[job], job);
    }
    return places;
}

} // namespace slotwise
