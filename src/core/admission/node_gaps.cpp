#include "admission/node_gaps.hpp"

#include "admission/job_owners.hpp"
#include "admission/maintenance_gaps.hpp"
#include "availability/node_outages.hpp"
#include "availability/start_times.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

struct OfQueue { // gaps for jobs of one queue
    StartTimes starts;
    std::vector<MaintenanceGaps> gaps; // one element per class
    // For each reservation, the longest time that a job can run inside one of its windows; 0 if it
    // does not recur.
    std::vector<Time> inside;
};

std::int32_t of_class(const NodesAway& away, const NodeLayout& layout, std::size_t node_class) {
    std::int32_t nodes = 0;
    for (const auto& [c, number] : away.numbers)
        if (c == node_class) nodes += number;
    for (const std::int32_t node : away.named)
        nodes += layout.class_of[static_cast<std::size_t>(node)] == node_class ? 1 : 0;
    return nodes;
}

class NodeGaps {
  public:
    NodeGaps(const Site& site, const JobShapes& shapes, Time first_submit)
        : site_(site), shapes_(shapes) {
        for (const Outage& outage : site.outages) {
            if (outage.mode != Outage::Mode::drain) continue;
            any_ = any_ || outage.every > 0;
            windows_.emplace_back(recurrence_of(outage),
                                  nodes_away(shapes.layout(), outage.nodes, outage.processors));
        }
        for (const UserReservation& reservation : site.reservations) {
            any_ = any_ || reservation.every > 0;
            kept_.push_back(nodes_away(shapes.layout(), reservation.nodes, reservation.processors));
            windows_.emplace_back(recurrence_of(reservation), kept_.back());
        }
        const bool periodic = site.policy.passes == Passes::periodic;
        if (!any_ && !periodic) return;
        for (const Queue& queue : site.queues) {
            queues_.push_back(of_queue(queue, first_submit));
            any_ = any_ || queues_.back().starts.first_from(0) == kNever;
        }
    }

    bool any() const { return any_; }

    // Returns true if there are recurring gaps of `length` during which the nodes that the job
    // needs are available.
    bool fit(JobId job, QueueId queue, Time length) {
        const auto key = std::tuple(shapes_.number_of(job), queue, length);
        const auto [known, is_new] = known_.try_emplace(key, false);
        if (is_new) known->second = search(shapes_.of(job), queues_[queue], length);
        return known->second;
    }

    bool fits_inside(const ReplayJobs& jobs, JobId job, QueueId queue, Time length) const {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const bool is_its = is_of(site_.reservations[i].owners, jobs, job);
            if (length > queues_[queue].inside[i] || !is_its) continue;
            if (JobShapes::has_room(shapes_.of(job), [&](std::size_t c) {
                    return std::int64_t{of_class(kept_[i], shapes_.layout(), c)};
                }))
                return true;
        }
        return false;
    }

  private:
    OfQueue of_queue(const Queue& queue, Time first_submit) const {
        const Policy& policy = site_.policy;
        const StartGrid grid{first_submit, policy.passes == Passes::periodic ? policy.period : 1};
        OfQueue made{{grid, {queue.hours, site_.midnight}}, {}, {}};
        for (std::size_t c = 0; c < shapes_.layout().n_classes(); ++c) {
            std::vector<MaintenanceGaps::Windows> of_this;
            for (const auto& [recurrence, away] : windows_)
                if (const std::int32_t nodes = of_class(away, shapes_.layout(), c); nodes > 0)
                    of_this.push_back({recurrence, nodes});
            made.gaps.emplace_back(shapes_.layout().count(c), of_this, made.starts);
        }
        for (const UserReservation& reservation : site_.reservations)
            made.inside.push_back(reservation.every > 0
                                      ? longest_inside(recurrence_of(reservation), made.starts)
                                      : 0);
        return made;
    }

    static bool search(const JobShape& shape, const OfQueue& queue, Time length) {
        if (shape.classes.size() == 1 && shape.keeping == Keeping::whole_nodes)
            return length <= queue.gaps[shape.classes[0]].longest(shape.demand.units);
        std::vector<const MaintenanceGaps*> gaps;
        for (const std::size_t c : shape.classes)
            gaps.push_back(&queue.gaps[c]);
        return fit_together(gaps, queue.starts, length, [&](std::span<const ProcCount> least) {
            return JobShapes::has_room(shape, [&](std::size_t c) {
                const auto at = std::find(shape.classes.begin(), shape.classes.end(), c);
                return std::int64_t{least[static_cast<std::size_t>(at - shape.classes.begin())]};
            });
        });
    }

    const Site& site_;
    const JobShapes& shapes_;
    bool any_ = false;
    std::vector<std::pair<Recurrence, NodesAway>> windows_;
    std::vector<NodesAway> kept_; // one element per reservation
    std::vector<OfQueue> queues_;
    std::map<std::tuple<std::uint32_t, QueueId, Time>, bool> known_;
};

} // namespace

void reject_without_gap(const Site& site, const ReplayJobs& jobs, Routing& routing) {
    NodeGaps gaps(site, *routing.shapes, jobs.first_submit);
    if (!gaps.any()) return;
    const bool outlives = site.policy.estimates == Estimates::exact && !site.policy.kill_at_limit;
    for (JobId job = 0; job < jobs.size(); ++job) {
        if (routing.rejects(job)) continue;
        const Time asked = std::max<Time>(jobs.requested_time[job], 1);
        const Time believed = std::max<Time>(asked, outlives ? jobs.run_time[job] : 0U);
        const QueueId queue = routing.queue_of[job];
        if (gaps.fit(job, queue, believed)) continue;
        if (gaps.fits_inside(jobs, job, queue, asked))
            for (const PoolId pool : site.queues[queue].pools)
                routing.without_room.insert(std::uint64_t{job} << 16 | pool);
        else
            routing.reject_reason[job] = static_cast<std::uint8_t>(RejectReason::maintenance);
    }
}

} // namespace slotwise
