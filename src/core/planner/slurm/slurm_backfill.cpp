#include "planner/slurm/slurm_backfill.hpp"

#include <algorithm>
#include <optional>

namespace slotwise {

SlurmBackfill::SlurmBackfill(const SlurmCluster& cluster, const SlurmRules& rules)
    : cluster_(&cluster), rules_(&rules), table_(cluster), allowed_(cluster.n_nodes()) {}

// Returns true if the job exceeds a bound on the jobs of its user or partition. Otherwise counts
// it.
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
    if (rules_->reserves_nothing(job, cycle.now)) return false;
    if (rules_->bf_job_part_count_reserve == 0) return true;
    const auto planned = cycle.counts.planned.find(job.partition);
    return planned == cycle.counts.planned.end() ||
           planned->second < rules_->bf_job_part_count_reserve;
}

// Returns true if it is certain that a failed attempt would fail again in the same cycle, and would
// not affect other jobs. This is not certain for GPU jobs, because each test of a GPU job changes
// node weights.
bool SlurmBackfill::repeats_failures(const SlurmJob& job, const SlurmSearch& search) const {
    const SlurmRequest& request = search.request(job.request);
    const SlurmGpuWeights& weights = search.gpu_weights();
    return !weights.is_used() || (request.one_unit_per_node && !weights.asks_gpus(request));
}

Time SlurmBackfill::cut(Time time) const {
    const Time rest = time % rules_->bf_resolution;
    return time - (rest < 0 ? rest + rules_->bf_resolution : rest);
}

// Chooses nodes from `allowed_` again and starts the job on them. Returns false if any node of the
// previous choice is still completing, or if the new choice fails.
bool SlurmBackfill::starts(std::size_t at, Cycle& cycle) {
    const std::vector<std::int32_t>& found = cycle.search.chosen().nodes;
    if (std::any_of(found.begin(), found.end(),
                    [&](std::int32_t node) { return cycle.completing.has(node); }))
        return false;
    NodeBits there = allowed_;
    there.remove(cycle.completing);
    if (!cycle.search.starts(cycle.queue[at].request, there, allowed_)) return false;
    cycle.answers.start({at, cycle.search.chosen().nodes, cycle.search.chosen().units});
    return true;
}

// Adds a plan on `nodes`, unless it begins after the backfill window. Returns false if it would
// overlap another plan. The nodes must have no plan between `from` and `from` plus the job's limit.
bool SlurmBackfill::plan(std::size_t at, Time from, Time begin,
                         const std::vector<std::int32_t>& nodes, Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    if (begin > cycle.now + rules_->bf_window) {
        bound(begin - rules_->bf_window);
        return true;
    }
    const Time first = cut(begin);
    const Time last = cut(begin + job.limit);
    if (table_.meets(first, last, from + job.limit, nodes)) return false;
    plans_.push_back({at, begin, begin + job.limit, nodes});
    const std::int64_t most =
        rules_->bf_node_space_size > 0 ? rules_->bf_node_space_size : rules_->bf_max_job_test;
    if (table_.n_made() >= most) {
        cycle.is_full = true;
        return true;
    }
    if (last >= cut(cycle.now + rules_->bf_window)) bound(last - rules_->bf_window);
    // A plan lasts for at least `bf_resolution` seconds.
    table_.add(first, std::max(last, first + rules_->bf_resolution), plans_.back().nodes);
    ++cycle.counts.planned[job.partition];
    return true;
}

// Returns true if the job cannot start at `begin` on the counted nodes without overlapping a plan.
// Considers only plans that begin after `from` plus the job's limit.
bool SlurmBackfill::must_overlap(const SlurmJob& job, Time from, Time begin,
                                 const SlurmSearch& search) const {
    NodeBits free = search.counted();
    table_.keep_free_after(from + job.limit, cut(begin), cut(begin + job.limit) - 1, free);
    return !free.has_at_least(search.request(job.request).min_nodes);
}

// Does the same as try_from(), for a job whose nodes only need to be counted. Tries later times as
// long as the job cannot avoid overlapping a plan. This is possible because no node becomes
// allowed before `asked.later`; nodes are only removed from `allowed_`.
Time SlurmBackfill::try_counts(const Test& test, const Failure& asked, Cycle& cycle) {
    const SlurmJob& job = test.job;
    SlurmSearch& search = cycle.search;
    Time from = asked.from;
    Time begin = search.count_by(job.request, allowed_, cycle.now, asked.later);
    bool is_known = true; // true if later jobs of this kind are known to fail as well
    while (begin > cycle.now && begin <= cycle.now + rules_->bf_window && asked.later != kNever) {
        begin = std::max(begin, from);
        if (!must_overlap(job, from, begin, search)) break;
        if (begin == asked.later) { // some nodes may not have been counted yet
            search.count_all(job.request, allowed_, asked.later);
            is_known = is_known && must_overlap(job, from, begin, search);
            begin = kNever;
            break;
        }
        // Nodes with a plan that begins exactly when the job ends are excluded too, although the
        // plan would not overlap the job.
        const Time known = from + job.limit;
        const Time last = cut(begin + job.limit);
        table_.keep_free_after(known, begin, last - 1, allowed_);
        if (table_.keep_free_after(std::max(known, last - 1), last, begin + job.limit, allowed_))
            is_known = false;
        from = begin;
        begin = search.count_on(job.request, allowed_, cycle.now, asked.later);
    }
    if (begin == kNever && asked.later != kNever && is_known && test.kind != nullptr)
        failures_.note(asked, job, *test.kind);
    if (begin <= cycle.now + rules_->bf_window) search.choose_counted(job.request);
    return begin;
}

// Returns the earliest time, from `asked.from` on, at which the job can begin on nodes without a
// plan, or kNever if there is none. May also return kNever if that time is after `asked.later`.
Time SlurmBackfill::try_from(Test& test, const Failure& asked, std::size_t span, Cycle& cycle) {
    const SlurmJob& job = test.job;
    const bool leads_on = test.kind != nullptr && asked.later != kNever;
    const std::optional<Time> known =
        leads_on ? failures_.fails_until(asked, job, *test.kind) : std::nullopt;
    const bool must = known.has_value();
    if (must) test.fails_until = *known;
    if (must && test.was_sought) return kNever;
    allowed_ = cluster_->partitions[job.partition].nodes;
    const std::int32_t n_nodes = cycle.search.request(job.request).min_nodes;
    const bool is_sought = table_.keep_free(span, asked.from + job.limit, n_nodes, allowed_);
    test.was_sought = test.was_sought || is_sought;
    SlurmSearch::Earliest found{kNever, true};
    if (is_sought && !must && cycle.search.counts_nodes(job.request))
        return try_counts(test, asked, cycle);
    if (is_sought && !must)
        found = cycle.search.earliest_by(job.request, allowed_, cycle.now,
                                         leads_on ? asked.later : kNever);
    if (leads_on && found.is_short) failures_.note(asked, job, *test.kind);
    return found.time;
}

// Starts or plans one job, if possible. Returns true if nodes were searched for the job.
bool SlurmBackfill::tests(std::size_t at, Cycle& cycle) {
    const SlurmJob& job = cycle.queue[at];
    const bool plans = gets_plan(job, cycle);
    Time from = cycle.now;
    Test test{job, nullptr, from - 1, false};
    if (plans && repeats_failures(job, cycle.search))
        test.kind = &failures_.kind_of(job, cycle.search);
    std::size_t span = table_.span_at(from);
    while (from != kNever) {
        const std::size_t next = table_.next_freed(span, from + job.limit, job.partition);
        const Time later = next == SlurmPlanTable::kNoSpan ? kNever : table_.begin_of(next);
        if (test.was_sought && later <= test.fails_until) {
            from = later;
            span = next;
            continue;
        }
        if (from == cycle.now) bound(table_.same_until(from, from + job.limit));
        Time begin = try_from(test, {from, later}, span, cycle);
        if (begin == kNever) {
            from = plans ? later : kNever;
            span = next;
            continue;
        }
        begin = std::max(begin, from);
        const bool is_now = begin <= cycle.now;
        std::vector<std::int32_t> found; // a copy, because starts() may choose other nodes
        if (is_now) found = cycle.search.chosen().nodes;
        if (is_now && starts(at, cycle)) return true;
        if (is_now) begin = cycle.now + 1;
        if (!plans) return true;
        if (!is_now && later < begin) {
            from = later;
            span = next;
            continue;
        }
        const bool overlaps = cycle.search.is_choice_open() && !is_now &&
                              begin <= cycle.now + rules_->bf_window &&
                              must_overlap(job, from, begin, cycle.search);
        if (!overlaps) {
            if (!is_now) cycle.search.choose_found(job.request);
            if (plan(at, from, begin, is_now ? found : cycle.search.chosen().nodes, cycle))
                return true;
        }
        from = begin;
        span = table_.span_at(from);
    }
    return test.was_sought;
}

void SlurmBackfill::run(std::span<const SlurmJob> queue, Time now, const NodeBits& completing,
                        SlurmSearch& search, const SlurmAnswers& answers) {
    table_.begin(cut(now), cut(now + rules_->bf_window));
    plans_.clear();
    failures_.begin(cluster_->partitions.size());
    skipped_.clear();
    same_until_ = rules_->bf_min_age_reserve > 0 ? now : search.same_until(now);
    Cycle cycle{queue, now, completing, search, answers, {}, false};
    std::int64_t tested = 0;
    std::int64_t most = rules_->bf_max_job_test;
    if (rules_->bf_max_time_jobs > 0) most = std::min(most, rules_->bf_max_time_jobs);
    std::size_t at = 0;
    for (; at < queue.size() && tested < most && !cycle.is_full; ++at) {
        if (answers.is_held_back(queue[at]) || exceeds(queue[at], cycle.counts))
            skipped_.push_back(at);
        else
            tested += tests(at, cycle) ? 1 : 0;
    }
    n_looked_at_ = at;
    // From the next multiple of the resolution onwards, a cycle may divide time into a different
    // number of spans, so that more or fewer plans fit into the table.
    if (cycle.is_full || 2 * table_.n_made() > rules_->bf_max_job_test)
        bound(cut(now) + rules_->bf_resolution);
}

} // namespace slotwise
