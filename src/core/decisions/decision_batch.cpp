#include "decisions/decision_batch.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace slotwise {

DecisionBatch::DecisionBatch(const std::shared_ptr<const DecisionJobs>& jobs,
                             const DecisionOptions& options, const ObservationRule& observation,
                             Reward reward, std::size_t n, unsigned workers)
    : observation_(observation), reward_(reward),
      n_choices_(options.decides == Decides::policy ? jobs->rules().size() : options.window),
      workers_(std::max(1U, std::min(workers, static_cast<unsigned>(n)))), faults_(n) {
    replays_.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        replays_.emplace_back(jobs, options);
}

// A forked process does not inherit the worker threads, so it can neither use them nor join them.
DecisionBatch::~DecisionBatch() {
    if (process_ != getpid()) static_cast<void>(threads_.release());
}

WorkerThreads& DecisionBatch::threads() {
    if (process_ != getpid()) {
        static_cast<void>(threads_.release());
        threads_ = std::make_unique<WorkerThreads>(workers_, size());
        process_ = getpid();
    }
    return *threads_;
}

void DecisionBatch::step(std::span<const std::int64_t> choices, std::span<const double> scores,
                         std::span<const std::uint8_t> skipped, const BatchColumns& out) {
    const auto step_row = [&](std::size_t i) {
        if (skipped[i] != 0) return;
        try {
            step_one(i, choices, scores, out);
        } catch (...) {
            faults_[i] = std::current_exception();
        }
    };
    if (workers_ == 1)
        for (std::size_t i = 0; i < size(); ++i)
            step_row(i);
    else
        threads().run(step_row);
    std::exception_ptr first;
    for (std::exception_ptr& fault : faults_) {
        if (first == nullptr) first = fault;
        fault = nullptr;
    }
    if (first != nullptr) std::rethrow_exception(first);
}

void DecisionBatch::step_one(std::size_t i, std::span<const std::int64_t> choices,
                             std::span<const double> scores, const BatchColumns& out) {
    DecisionReplay& replay = replays_[i];
    const Totals before = replay.totals();
    if (replay.options().decides == Decides::score)
        replay.score(scores.subspan(i * replay.options().window, replay.options().window));
    else
        replay.choose(static_cast<std::size_t>(choices[i]));
    out.reward[i] = reward_of(reward_, before, replay);
    out.done[i] = replay.done() ? 1 : 0;
    show(i, out);
}

void DecisionBatch::show(std::size_t i, const BatchColumns& out) const {
    const DecisionReplay& replay = replays_[i];
    const std::size_t n_values = observation_.size(replay.options().window);
    observe(replay, observation_, out.observation.subspan(i * n_values, n_values));
    mask_choices(replay, out.mask.subspan(i * n_choices_, n_choices_));
}

} // namespace slotwise
