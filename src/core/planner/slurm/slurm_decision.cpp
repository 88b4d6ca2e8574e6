#include "planner/slurm/slurm_decision.hpp"

#include "planner/slurm/slurm_main.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace slotwise {

namespace {

// The waiting jobs of a state, in order, and the occupancy of its nodes, which is updated when jobs
// start.
class DecisionRun {
  public:
    explicit DecisionRun(const SlurmState& state)
        : state_(state), occupancy_(state.cluster),
          search_(state.cluster, occupancy_, state.requests, state.rules), limits_(state.limits) {
        for (const SlurmState::Running& each : state.running) {
            occupancy_.start(each.job, each.end, each.nodes, each.shares);
            if (limits_) limits_->note_started(each.job, each.partition, each.nodes.size());
        }
        if (state.gpu_weights.size() == search_.gpu_weights().values().size())
            search_.set_gpu_weights(state.gpu_weights);
        for (const std::size_t row : state.submitted)
            search_.submit(state.waiting[row].request, state.waiting[row].partition);
        for (std::size_t row = 0; row < state.waiting.size(); ++row)
            if (may_start(state.waiting[row])) rows_.push_back(row);
        std::stable_sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
            return precedes(state.cluster, state.waiting[a], state.waiting[b]);
        });
        for (const std::size_t row : rows_)
            queue_.push_back(state.waiting[row]);
    }

    // Returns the functions that the schedulers call. Jobs that start are added to `decision`.
    SlurmAnswers answers(SlurmDecision& decision) {
        SlurmAnswers answers{
            [this, &decision](SlurmStart started) { start(std::move(started), decision); }};
        if (limits_)
            answers.holds_back = [this](const SlurmJob& job) {
                return limits_->holds_back(job.job, job.partition);
            };
        return answers;
    }

    std::size_t row(std::size_t position) const { return rows_[position]; }
    std::span<const SlurmJob> queue() const { return queue_; }
    SlurmSearch& search() { return search_; }

  private:
    void start(SlurmStart started, SlurmDecision& decision) {
        const SlurmJob& job = queue_[started.position];
        if (limits_ && !limits_->allows_on(job.job, job.partition, started.nodes.size())) return;
        std::vector<Amounts> shares;
        for (std::size_t i = 0; i < started.nodes.size(); ++i)
            shares.push_back(
                occupancy_.share(state_.requests[job.request], started.nodes[i], started.units[i]));
        occupancy_.start(job.job, state_.now + job.limit, started.nodes, shares);
        if (limits_) limits_->note_started(job.job, job.partition, started.nodes.size());
        started.position = rows_[started.position];
        decision.starts.push_back(std::move(started));
    }

    bool may_start(const SlurmJob& job) const {
        return exceeded_limit(state_.cluster.partitions[job.partition],
                              state_.requests[job.request], job.limit) == Exceeded::none;
    }

    const SlurmState& state_;
    SlurmOccupancy occupancy_;
    SlurmSearch search_;
    std::optional<SlurmDecisionLimits> limits_;
    std::vector<std::size_t> rows_;
    std::vector<SlurmJob> queue_;
};

} // namespace

SlurmDecision slurm_backfill_decision(const SlurmState& state) {
    SlurmDecision decision;
    DecisionRun run(state);
    SlurmBackfill backfill(state.cluster, state.rules);
    backfill.run(run.queue(), state.now, state.completing, run.search(), run.answers(decision));
    decision.plans.assign(backfill.plans().begin(), backfill.plans().end());
    for (SlurmBackfill::Plan& plan : decision.plans)
        plan.position = run.row(plan.position);
    decision.gpu_weights = run.search().gpu_weights().values();
    return decision;
}

SlurmDecision slurm_main_decision(const SlurmState& state, std::int64_t depth) {
    SlurmDecision decision;
    DecisionRun run(state);
    slurm_main_pass(state.cluster, state.rules, run.queue(), depth, state.now, state.completing,
                    run.search(), run.answers(decision));
    decision.gpu_weights = run.search().gpu_weights().values();
    return decision;
}

} // namespace slotwise
