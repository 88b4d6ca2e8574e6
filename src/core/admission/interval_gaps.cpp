#include "admission/interval_gaps.hpp"

#include "admission/job_owners.hpp"
#include "admission/maintenance_gaps.hpp"
#include "availability/intervals/interval_calendar.hpp"
#include "availability/start_times.hpp"
#include "machine/torus/torus.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

struct IntervalWindows {
    Recurrence recurrence;
    std::vector<NodeInterval> nodes;
};

class IntervalGaps {
  public:
    IntervalGaps(const Site& site, Time first_submit) : site_(site) {
        for (const Outage& outage : site.outages)
            if (outage.mode == Outage::Mode::drain && outage.every > 0)
                windows_.push_back({recurrence_of(outage),
                                    intervals_of(*site.torus, outage.nodes, outage.processors)});
        for (const UserReservation& reservation : site.reservations) {
            kept_.push_back(intervals_of(*site.torus, reservation.nodes, reservation.processors));
            if (reservation.every > 0)
                windows_.push_back({recurrence_of(reservation), kept_.back()});
        }
        const bool periodic = site.policy.passes == Passes::periodic;
        const StartGrid grid{first_submit, periodic ? site.policy.period : 1};
        for (const Queue& queue : site.queues) {
            starts_.emplace_back(grid, OpeningHours(queue.hours, site.midnight));
            any_ = any_ || starts_.back().first_from(0) == kNever;
        }
        any_ = any_ || !windows_.empty();
    }

    bool any() const { return any_; }

    // Returns true if `size` consecutive nodes are available in recurring gaps of at least
    // `length`.
    bool fit(NodeCount size, QueueId queue, Time length) {
        const auto [known, is_new] = longest_.try_emplace({size, queue}, 0);
        if (is_new) known->second = longest(size, queue);
        return length <= known->second;
    }

    bool fits_inside(const ReplayJobs& jobs, JobId job, NodeCount size, QueueId queue,
                     Time length) const {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const UserReservation& each = site_.reservations[i];
            if (each.every == 0 || !is_of(each.owners, jobs, job)) continue;
            if (length <= longest_inside(recurrence_of(each), starts_[queue]) &&
                std::any_of(kept_[i].begin(), kept_[i].end(),
                            [&](NodeInterval nodes) { return nodes.size() >= size; }))
                return true;
        }
        return false;
    }

  private:
    // Returns the length of the longest recurring gap on any `size` consecutive nodes. Checks only
    // places that begin at node 0 or directly after the nodes of a window. A job in any other place
    // could move down to one of these without overlapping another window.
    Time longest(NodeCount size, QueueId queue) const {
        Time most = length_at({0, size}, queue);
        for (const IntervalWindows& each : windows_)
            for (const NodeInterval& nodes : each.nodes)
                if (nodes.end + size <= site_.torus->nodes())
                    most = std::max(most, length_at({nodes.end, nodes.end + size}, queue));
        return most;
    }

    Time length_at(NodeInterval at, QueueId queue) const {
        std::vector<MaintenanceGaps::Windows> met;
        for (const IntervalWindows& each : windows_)
            if (std::any_of(each.nodes.begin(), each.nodes.end(), [&](NodeInterval nodes) {
                    return nodes.begin < at.end && at.begin < nodes.end;
                }))
                met.push_back({each.recurrence, 1});
        return MaintenanceGaps(1, met, starts_[queue]).longest(1);
    }

    const Site& site_;
    bool any_ = false;
    std::vector<IntervalWindows> windows_;
    std::vector<std::vector<NodeInterval>> kept_; // one element per reservation
    std::vector<StartTimes> starts_;              // one element per queue
    std::map<std::pair<NodeCount, QueueId>, Time> longest_;
};

} // namespace

void reject_without_interval(const Site& site, const ReplayJobs& jobs, Routing& routing) {
    IntervalGaps gaps(site, jobs.first_submit);
    if (!gaps.any()) return;
    const bool outlives = site.policy.estimates == Estimates::exact && !site.policy.kill_at_limit;
    for (JobId job = 0; job < jobs.size(); ++job) {
        if (routing.rejects(job)) continue;
        const NodeCount size = site.torus->nodes_for(jobs.processors[job]);
        const Time asked = std::max<Time>(jobs.requested_time[job], 1);
        const Time believed = std::max<Time>(asked, outlives ? jobs.run_time[job] : 0U);
        const QueueId queue = routing.queue_of[job];
        if (gaps.fit(size, queue, believed)) continue;
        if (gaps.fits_inside(jobs, job, size, queue, asked))
            routing.without_room.insert(std::uint64_t{job} << 16 | 0U);
        else
            routing.reject_reason[job] = static_cast<std::uint8_t>(RejectReason::maintenance);
    }
}

} // namespace slotwise
