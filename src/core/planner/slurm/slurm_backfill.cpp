#include "planner/slurm/slurm_backfill.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

SlurmBackfill::SlurmBackfill(const SlurmCluster& cluster, const SlurmRules& rules)
    : cluster_(&cluster), rules_(&rules), table_(cluster), allowed_(cluster.n_nodes()) {}

// True if the job is beyond a bound of its user or partition; otherwise counts it.
bool SlurmBackfill::exceeds(const SlurmJob& job, Counts& counts) const {
    if (rules_->bf_max_job_user_part <= 0 && rules_->bf_max_job_part <= 0 &&
        rules_->bf_max_job_user <= 0)
        return false;
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

SlurmBackfill::Kind& SlurmBackfill::kind_of(const SlurmJob& job, const SlurmSearch& search) {
    std::vector<Kind>& kinds = kinds_[job.partition];
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
        return kind.request == job.request && kind.limit == job.limit;
    });
    if (known != kinds.end()) return *known;
    const std::size_t number = kinds.size();
    Kind made{job.request, job.limit, {}, {number}};
    const SlurmRequest& request = search.request(job.request);
    for (std::size_t i = 0; i < number; ++i) {
        const SlurmRequest& other = search.request(kinds[i].request);
        if (kinds[i].limit <= job.limit && request.needs_all_of(other)) made.smaller.push_back(i);
        if (job.limit <= kinds[i].limit && other.needs_all_of(request))
            kinds[i].smaller.push_back(number);
    }
    kinds.push_back(std::move(made));
    return kinds.back();
}

// True if too few nodes for the job have room by `asked.later`, as a try of a smaller job has found
// in this cycle.
//
// If that try began at or before `asked.from` and looked as far as `asked.later`, it found each
// node that the job would find. A plan on such a node that ends between the two times of begin was
// made since: otherwise its end would have been the next search time.
bool SlurmBackfill::must_fail(const SlurmJob& job, const Failure& asked, const Kind& kind) const {
    const std::vector<Kind>& kinds = kinds_[job.partition];
    return std::any_of(kind.smaller.begin(), kind.smaller.end(), [&](std::size_t number) {
        const std::vector<Failure>& failures = kinds[number].failures;
        const auto behind =
            std::upper_bound(failures.begin(), failures.end(), asked.from,
                             [](Time from, const Failure& failure) { return from < failure.from; });
        return behind != failures.begin() && asked.later <= (behind - 1)->later;
    });
}

void SlurmBackfill::note_failure(const Failure& failed, Kind& kind) {
    const auto known =
        std::lower_bound(kind.failures.begin(), kind.failures.end(), failed.from,
                         [](const Failure& failure, Time from) { return failure.from < from; });
    if (known != kind.failures.end() && known->from == failed.from)
        known->later = std::max(known->later, failed.later);
    else
        kind.failures.insert(known, failed);
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
bool SlurmBackfill::plan(std::size_t at, Time begin, const std::vector<std::int32_t>& nodes,
                         Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    if (begin > cycle.now + rules_->bf_window) {
        bound(begin - rules_->bf_window);
        return true;
    }
    const Time first = cut(begin);
    const Time last = cut(begin + job.limit);
    if (table_.meets(first, last, nodes)) return false;
    plans_.push_back({at, begin, begin + job.limit, nodes});
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

// The earliest start on nodes without a plan from `asked.from` on; kNever if there is none. The
// result may also be kNever if the start is after `asked.later`.
Time SlurmBackfill::try_from(const SlurmJob& job, const Failure& asked, Kind* kind,
                             bool& was_sought, Cycle& cycle) {
    const bool leads_on = kind != nullptr && asked.later != kNever;
    const bool must = leads_on && must_fail(job, asked, *kind);
    if (must && was_sought) return kNever;
    allowed_ = cluster_->partitions[job.partition].nodes;
    table_.keep_free(asked.from, asked.from + job.limit, allowed_);
    const bool is_sought = allowed_.has_at_least(cycle.search.request(job.request).min_nodes);
    was_sought = was_sought || is_sought;
    SlurmSearch::Earliest found{kNever, true};
    if (is_sought && !must)
        found = cycle.search.earliest_by(job.request, allowed_, cycle.now,
                                         leads_on ? asked.later : kNever);
    if (leads_on && found.is_short) note_failure(asked, *kind);
    return found.time;
}

// Starts or plans one job; true if a try looked for nodes.
bool SlurmBackfill::test(std::size_t at, Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    const bool plans = gets_plan(job, cycle);
    bool was_sought = false;
    const bool repeats = plans && repeats_failures(job, cycle.search);
    Kind* kind = repeats ? &kind_of(job, cycle.search) : nullptr;
    Time from = cycle.now;
    while (from != kNever) {
        const Time later = table_.next_freed(from, from + job.limit, job.partition);
        if (from == cycle.now) bound(table_.same_until(from, from + job.limit));
        Time begin = try_from(job, {from, later}, kind, was_sought, cycle);
        if (begin == kNever) {
            from = plans ? later : kNever;
            continue;
        }
        begin = std::max(begin, from);
        const bool is_now = begin <= cycle.now;
        std::vector<std::int32_t> found; // before starts() chooses again
        if (is_now) found = cycle.search.chosen().nodes;
        if (is_now && starts(at, cycle)) return true;
        if (is_now) begin = cycle.now + 1;
        if (!plans) return true;
        if (!is_now && later < begin) {
            from = later;
            continue;
        }
        if (plan(at, begin, is_now ? found : cycle.search.chosen().nodes, cycle)) return true;
        from = begin;
    }
    return was_sought;
}

void SlurmBackfill::run(std::span<const SlurmJob> queue, Time now, const NodeBits& completing,
                        SlurmSearch& search, const std::function<void(SlurmStart)>& start) {
    table_.begin(cut(now), cut(now + rules_->bf_window));
    plans_.clear();
    kinds_.resize(cluster_->partitions.size());
    for (std::vector<Kind>& of_partition : kinds_)
        of_partition.clear();
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
