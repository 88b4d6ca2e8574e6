#include "planner/slurm/slurm_backfill.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

SlurmBackfill::SlurmBackfill(const SlurmCluster& cluster, const SlurmRules& rules)
    : cluster_(&cluster), rules_(&rules), table_(cluster.n_nodes()), allowed_(cluster.n_nodes()) {}

// True if the job is beyond a bound of its user or partition; otherwise counts it.
bool SlurmBackfill::exceeds(const SlurmJob& job, Counts& counts) const {
    std::int64_t& both = counts.by_both[{job.user, job.partition}];
    std::int64_t& of_partition = counts.by_partition[job.partition];
    std::int64_t& of_user = counts.by_user[job.user];
    const auto is_beyond = [](std::int64_t most, std::int64_t n) { return most > 0 && n >= most; };
    if (is_beyond(rules_->bf_max_job_user_part, both) ||
        is_beyond(rules_->bf_max_job_part, of_partition) ||
        is_beyond(rules_->bf_max_job_user, of_user))
        return true;
    ++both;
    ++of_partition;
    ++of_user;
    return false;
}

bool SlurmBackfill::gets_plan(const SlurmJob& job, const Cycle& cycle) const {
    if (rules_->bf_min_prio_reserve > 0) {
        if (job.priority < rules_->bf_min_prio_reserve) return false;
    } else if (cycle.now - job.submit < rules_->bf_min_age_reserve) {
        return false;
    }
    if (rules_->bf_job_part_count_reserve == 0) return true;
    const auto planned = cycle.counts.planned.find(job.partition);
    return planned == cycle.counts.planned.end() ||
           planned->second < rules_->bf_job_part_count_reserve;
}

// True if a try that failed would fail again in the same cycle, without effect on other jobs. Tests
// of GPU jobs change weights, and thus both.
bool SlurmBackfill::repeats_failures(const SlurmJob& job, const SlurmSearch& search) const {
    const SlurmRequest& request = search.request(job.request);
    const SlurmGpuWeights& weights = search.gpu_weights();
    return !weights.is_used() || (request.one_unit_per_node && !weights.asks_gpus(request));
}

SlurmBackfill::Kind& SlurmBackfill::kind_of(const SlurmJob& job) {
    const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
        return kind.request == job.request && kind.partition == job.partition &&
               kind.limit == job.limit;
    });
    if (known != kinds_.end()) return *known;
    kinds_.push_back({job.request, job.partition, job.limit, {}});
    return kinds_.back();
}

// False if the try must lead to the one at `asked.later`: by then, too few nodes without a plan
// have room. This test costs less than the try.
bool SlurmBackfill::may_begin(const SlurmJob& job, const Failure& asked, Kind& kind,
                              Cycle& cycle) const {
    if (asked.later == kNever) return true;
    const auto known =
        std::lower_bound(kind.failures.begin(), kind.failures.end(), asked.from,
                         [](const Failure& failure, Time from) { return failure.from < from; });
    const bool is_known = known != kind.failures.end() && known->from == asked.from;
    if (is_known && asked.later <= known->later) return false;
    const NodeBits& nodes = cluster_->partitions[job.partition].nodes;
    const Time to = asked.from + job.limit;
    const std::uint64_t* free = table_.free_at(asked.from);
    const bool may = cycle.search.may_begin_by(job.request, asked.later, [&](std::int32_t node) {
        const auto word = static_cast<std::size_t>(node) >> 6;
        return ((nodes[word] & free[word]) >> (node & 63) & 1) != 0 &&
               table_.is_free(asked.from, to, node);
    });
    if (may) return true;
    if (is_known)
        known->later = asked.later;
    else
        kind.failures.insert(known, asked);
    return false;
}

Time SlurmBackfill::cut(Time time) const {
    const Time rest = time % rules_->bf_resolution;
    return time - (rest < 0 ? rest + rules_->bf_resolution : rest);
}

// Starts the job unless a node found is completing. Its nodes are chosen again among `allowed_`.
bool SlurmBackfill::starts(std::size_t at, Cycle& cycle) {
    const std::vector<std::int32_t>& found = cycle.search.chosen().nodes;
    if (std::any_of(found.begin(), found.end(),
                    [&](std::int32_t node) { return cycle.completing.has(node); }))
        return false;
    NodeBits there = allowed_;
    there.remove(cycle.completing);
    if (!cycle.search.now(cycle.queue[at].request, there, true)) return false;
    cycle.start({at, cycle.search.chosen().nodes, cycle.search.chosen().units});
    return true;
}

// Adds a plan; false if it overlaps another one.
bool SlurmBackfill::plan(std::size_t at, Time begin, std::vector<std::int32_t> nodes,
                         Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    if (begin > cycle.now + rules_->bf_window) {
        bound(begin - rules_->bf_window);
        return true;
    }
    const Time first = cut(begin);
    const Time last = cut(begin + job.limit);
    if (table_.meets(first, last, nodes)) return false;
    plans_.push_back({at, begin, begin + job.limit, std::move(nodes)});
    const std::int64_t most =
        rules_->bf_node_space_size > 0 ? rules_->bf_node_space_size : rules_->bf_max_job_test;
    if (table_.n_made() >= most) {
        cycle.is_full = true;
        return true;
    }
    if (last >= cut(cycle.now + rules_->bf_window)) bound(last - rules_->bf_window);
    // A plan lasts at least one resolution.
    table_.add(first, std::max(last, first + rules_->bf_resolution), plans_.back().nodes);
    ++cycle.counts.planned[job.partition];
    return true;
}

// The earliest begin on nodes without a plan from `asked.from` on; kNever if there is none. The
// result may also be kNever if the begin is after `asked.later`.
Time SlurmBackfill::try_from(const SlurmJob& job, const Failure& asked, Kind* kind,
                             bool& was_sought, Cycle& cycle) {
    const bool is_counted = was_sought;
    const auto must_fail = [&] { return kind != nullptr && !may_begin(job, asked, *kind, cycle); };
    if (is_counted && must_fail()) return kNever;
    allowed_ = cluster_->partitions[job.partition].nodes;
    table_.keep_free(asked.from, asked.from + job.limit, allowed_);
    if (allowed_.count() < cycle.search.request(job.request).min_nodes) return kNever;
    was_sought = true;
    if (!is_counted && must_fail()) return kNever;
    return cycle.search.earliest(job.request, allowed_, cycle.now);
}

// Starts or plans one job; true if a try looked for nodes.
bool SlurmBackfill::test(std::size_t at, Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    const bool plans = gets_plan(job, cycle);
    bool was_sought = false;
    Kind* kind = plans && repeats_failures(job, cycle.search) ? &kind_of(job) : nullptr;
    Time from = cycle.now;
    while (from != kNever) {
        const Time later =
            table_.next_freed(from, from + job.limit, cluster_->partitions[job.partition].nodes);
        if (from == cycle.now) bound(table_.same_until(from, from + job.limit));
        Time begin = try_from(job, {from, later}, kind, was_sought, cycle);
        if (begin == kNever) {
            from = plans ? later : kNever;
            continue;
        }
        begin = std::max(begin, from);
        std::vector<std::int32_t> nodes = cycle.search.chosen().nodes;
        const bool is_now = begin <= cycle.now;
        if (is_now && starts(at, cycle)) return true;
        if (is_now) begin = cycle.now + 1;
        if (!plans) return true;
        if (!is_now && later < begin) {
            from = later;
            continue;
        }
        if (plan(at, begin, std::move(nodes), cycle)) return true;
        from = begin;
    }
    return was_sought;
}

void SlurmBackfill::run(std::span<const SlurmJob> queue, Time now, const NodeBits& completing,
                        SlurmSearch& search, const std::function<void(SlurmStart)>& start) {
    table_.begin(cut(now), cut(now + rules_->bf_window));
    plans_.clear();
    kinds_.clear();
    skipped_.clear();
    same_until_ = rules_->bf_min_age_reserve > 0 ? now : search.same_until(now);
    Cycle cycle{queue, now, completing, search, start, {}, false};
    std::int64_t tested = 0;
    std::int64_t most = rules_->bf_max_job_test;
    if (rules_->bf_max_time_jobs > 0) most = std::min(most, rules_->bf_max_time_jobs);
    std::size_t at = 0;
    for (; at < queue.size() && tested < most && !cycle.is_full; ++at) {
        if (exceeds(queue[at], cycle.counts))
            skipped_.push_back(at);
        else
            tested += test(at, cycle) ? 1 : 0;
    }
    n_looked_at_ = at;
    // The number of spans depends on the multiple of the resolution before `now`.
    if (cycle.is_full || 2 * table_.n_made() > rules_->bf_max_job_test)
        bound(cut(now) + rules_->bf_resolution);
}

} // namespace slotwise
